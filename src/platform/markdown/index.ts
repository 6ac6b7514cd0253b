export { nameMentions } from './mentions.ts'
export { type MarkdownDocument, markdownVersion, parseMarkdown, renderMarkdown } from './render-markdown.ts'
