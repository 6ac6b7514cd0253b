import type { MailContent, MailLink } from './mail.ts'
import { renderMailHtml } from './mail-layout.ts'

/** Renders the text and HTML parts. The HTML loads no remote content, and all values are escaped. */
export function renderMail(content: MailContent): { text: string; html: string } {
  for (const { url } of linksOf(content)) assertHttpUrl(url)
  return { text: renderText(content), html: renderMailHtml(content, footerLines(content)) }
}

const linksOf = ({ action, scores, footerLink }: MailContent): MailLink[] => [
  ...(scores?.links ?? []),
  ...[action, footerLink].filter((link) => link !== undefined),
]

function assertHttpUrl(url: string): void {
  const protocol = URL.parse(url)?.protocol
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('A link in an email must be an http or https URL.')
}

function renderText(content: MailContent): string {
  const { title, paragraphs, facts = [], action, footerLink } = content
  const factLines = facts.map(({ label, value }) => `${label}: ${value}`)
  const body = [
    title,
    ...paragraphs,
    ...(facts.length ? [factLines.join('\n')] : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
  ]
  const footer = [...footerLines(content), ...(footerLink ? [`${footerLink.label}: ${footerLink.url}`] : [])]
  return `${body.join('\n\n')}\n\n-- \n${footer.join('\n')}\n`
}

const footerLines = ({ workspace: { name, branding }, footer }: MailContent): string[] =>
  [name, footer ?? '', branding?.email_footer ?? ''].filter((text) => text !== '')
