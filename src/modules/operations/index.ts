export { operations } from './operations.module.ts'
