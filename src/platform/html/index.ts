export { accentColors } from './accent-colors.ts'
export { escapeHtml } from './escape-html.ts'
export { type HtmlPage, type PageTheme, renderPage } from './page.ts'
