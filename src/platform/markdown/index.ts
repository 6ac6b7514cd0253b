export { nameMentions } from './mentions.ts'
export {
  type MarkdownDocument,
  markdownVersion,
  parseMarkdown,
  parseStoredMarkdown,
  renderMarkdown,
  renderStoredMarkdown,
} from './render-markdown.ts'
export { type BodyHtml, maxContentHtmlLength, renderBody, renderWelcome, type WelcomeHtml } from './render-texts.ts'
