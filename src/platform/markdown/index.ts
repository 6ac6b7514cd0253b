export { nameMentions } from './mentions.ts'
export {
  type MarkdownDocument,
  markdownVersion,
  parseMarkdown,
  parseStoredMarkdown,
  renderMarkdown,
  renderStoredMarkdown,
} from './render-markdown.ts'
