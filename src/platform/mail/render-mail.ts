import { accentColors, escapeHtml } from '#platform/html'

export type MailContent = {
  workspace: { name: string; branding?: { primary_color?: string | null; email_footer?: string | null } }
  title: string
  paragraphs: string[]
  action?: { label: string; url: string }
  footer?: string
}

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** Renders the text and HTML parts. The HTML loads no remote content, and all values are escaped. */
export function renderMail(content: MailContent): { text: string; html: string } {
  if (content.action) assertHttpUrl(content.action.url)
  return { text: renderText(content), html: renderHtml(content) }
}

function assertHttpUrl(url: string): void {
  const protocol = URL.parse(url)?.protocol
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('A link in an email must be an http or https URL.')
}

function renderText({ workspace, title, paragraphs, action, footer }: MailContent): string {
  const body = [title, ...paragraphs, ...(action ? [`${action.label}:\n${action.url}`] : [])]
  return `${body.join('\n\n')}\n\n-- \n${footerLines(workspace, footer).join('\n')}\n`
}

function renderHtml({ workspace, title, paragraphs, action, footer }: MailContent): string {
  const body = [
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(title)}</h1>`,
    ...paragraphs.map((text) => `<p style="margin:0 0 16px">${withLineBreaks(text)}</p>`),
    ...(action ? [renderButton(action, workspace.branding?.primary_color)] : []),
  ]
  const footerHtml = footerLines(workspace, footer).map(
    (text) => `<p style="margin:0 0 8px">${withLineBreaks(text)}</p>`,
  )
  return `<!doctype html>
<html lang="en">
${renderHead(title)}
<body class="page" style="margin:0;padding:0;background:#f3f4f6">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f6">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td class="card" style="padding:32px;border-radius:8px;background:#ffffff;color:#1c1f26;${font};font-size:16px;line-height:1.5">
${body.join('\n')}
</td></tr>
<tr><td class="quiet" style="padding:16px 32px;color:#5b6270;${font};font-size:13px;line-height:1.5">
${footerHtml.join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

const renderHead = (title: string): string => `<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #16181d !important; }
  .card { background: #22252c !important; color: #e9ebef !important; }
  .quiet, .quiet a { color: #a3a9b5 !important; }
}
</style>
</head>`

function footerLines({ name, branding }: MailContent['workspace'], footer?: string): string[] {
  return [name, footer ?? '', branding?.email_footer ?? ''].filter((text) => text !== '')
}

function renderButton({ label, url }: { label: string; url: string }, color?: string | null): string {
  const accent = accentColors(color)
  const buttonStyle = `display:inline-block;padding:12px 20px;border-radius:6px;background:${accent.color};color:${accent.ink}`
  return `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="${buttonStyle};font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p class="quiet" style="margin:0;color:#5b6270;font-size:13px">If the button does not work, open this link:<br><a href="${escapeHtml(url)}" style="color:#5b6270;word-break:break-all">${escapeHtml(url)}</a></p>`
}

const withLineBreaks = (text: string): string => escapeHtml(text).replace(/\r?\n/g, '<br>')
