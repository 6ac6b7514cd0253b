/** The text of a short Markdown message without its marks. */
export const toPlainText = (markdown: string): string =>
  markdown
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\*\*|__|`/g, '')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*])[ \t]+/gm, '')
    .replace(/\\([\\`*_{}[\]()#+\-.!>])/g, '$1')
    .trim()
