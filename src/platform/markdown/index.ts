export { markdownVersion, renderMarkdown } from './render-markdown.ts'
