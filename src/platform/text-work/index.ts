export { defineTextWork, isShortText, TextTooComplexError } from './text-work.ts'
