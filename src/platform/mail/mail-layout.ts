import { calculateBrandColors, escapeHtml, type PageLanguage, type PageTexts } from '#platform/html'
import type { MailContent, MailFact, MailLink, MailScores } from './mail.ts'

const font = "font-family:Inter,system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const quiet = `${font};font-size:13px;line-height:20px;color:#656776`
const table = '<table role="presentation" cellpadding="0" cellspacing="0" border="0"'

/** Email programs need tables and inline styles; the style element only adapts phones and dark themes. */
export function renderMailHtml(content: MailContent, footerLines: readonly string[]): string {
  const { workspace, language = 'en', title, preview, footerLink } = content
  const { fill: color, textOnFill: ink } = calculateBrandColors(workspace.branding?.primary_color, 'light')
  const footer = footerLines.map(withLineBreaks).join('<br>')
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
${renderHead(title)}
<body class="page" bgcolor="#f6f6f8" style="margin:0;padding:0;background:#f6f6f8">
${preview ? `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>` : ''}
${table} class="page" width="100%" bgcolor="#f6f6f8" style="background:#f6f6f8">
<tr><td class="out" align="center" style="padding:32px 12px 40px">
${table} width="100%" style="max-width:600px">
<tr><td class="card" bgcolor="#ffffff" style="border-radius:16px;background:#ffffff;overflow:hidden">
${table} width="100%">
<tr><td bgcolor="${color}" height="5" style="height:5px;line-height:5px;font-size:1px;background:${color}">&nbsp;</td></tr>
<tr><td class="pad" style="padding:30px 44px 0">${renderSender(workspace.name, color, ink)}</td></tr>
<tr><td class="pad" style="padding:30px 44px 40px">
${renderBody(content)}
</td></tr>
</table>
</td></tr>
<tr><td class="pad quiet" style="padding:22px 44px 0;${quiet};color:#5f6170">
${footer}${footerLink ? `<br>${renderQuietLink(footerLink)}` : ''}
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
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (max-width: 620px) {
  .pad { padding-left: 24px !important; padding-right: 24px !important }
  .out { padding: 0 !important }
  .card { border-radius: 0 !important }
  h1 { font-size: 23px !important; line-height: 29px !important }
  .score { display: inline-block !important; width: 15% !important }
  .fact { display: block !important; text-align: left !important }
  .strong.fact { border-bottom: 0 !important; padding-bottom: 0 !important }
  .text.fact { padding-top: 1px !important }
}
@media (prefers-color-scheme: dark) {
  .page { background: #0b0c0f !important }
  .card { background: #16171c !important }
  .strong { color: #eff0f4 !important }
  .text { color: #c3c5d0 !important }
  .quiet, .quiet a { color: #9a9caa !important }
  .facts { background: #1f2128 !important }
  .fact { border-color: #2a2c35 !important }
  .number { background: #16171c !important; border-color: #6f7280 !important }
  .number a { color: #eff0f4 !important }
}
[data-ogsc] .strong { color: #eff0f4 !important }
[data-ogsc] .text { color: #c3c5d0 !important }
</style>
</head>`

/** Shows the first letter of the workspace instead of its logo, which would be remote content. */
function renderSender(name: string, color: string, ink: string): string {
  const initial = [...name.trim()][0]?.toUpperCase() ?? ''
  return `${table}><tr>
<td width="34" height="34" align="center" bgcolor="${color}" style="width:34px;height:34px;border-radius:10px;background:${color};${font};font-size:17px;font-weight:700;color:${ink}">${escapeHtml(initial)}</td>
<td class="strong" style="padding-left:11px;${font};font-size:17px;font-weight:650;color:#15161c">${escapeHtml(name)}</td>
</tr></table>`
}

function renderBody({ workspace, language, title, paragraphs, facts, scores, action }: MailContent): string {
  return [
    `<h1 class="strong" style="margin:0 0 14px;${font};font-size:27px;line-height:33px;font-weight:680;letter-spacing:-.5px;color:#15161c">${escapeHtml(title)}</h1>`,
    ...paragraphs.map(renderParagraph),
    ...(facts?.length ? [renderFacts(facts)] : []),
    ...(scores ? [renderScores(scores)] : []),
    ...(action ? [renderButton(action, workspace.branding?.primary_color)] : []),
    ...(action && !scores ? [renderPlainLink(action.url, language)] : []),
  ].join('\n')
}

const renderParagraph = (text: string): string =>
  `<p class="text" style="margin:0 0 20px;${font};font-size:16px;line-height:25px;color:#464856">${withLineBreaks(text)}</p>`

function renderFacts(facts: readonly MailFact[]): string {
  const rows = facts.map(({ label, value }, at) => {
    const border = at < facts.length - 1 ? '1px solid #e1e2e9' : '0'
    const style = `padding:11px 0;border-bottom:${border};${font};font-size:15px;line-height:21px`
    return `<tr><td class="strong fact" style="${style};font-weight:600;color:#15161c">${escapeHtml(label)}</td><td class="text fact" align="right" style="${style};color:#464856">${withLineBreaks(value)}</td></tr>`
  })
  return `${table} class="facts" width="100%" bgcolor="#f4f4f7" style="border-radius:12px;background:#f4f4f7;margin-bottom:26px"><tr><td style="padding:8px 20px 9px">
${table} width="100%">${rows.join('\n')}</table>
</td></tr></table>`
}

function renderScores({ links, low, high, note }: MailScores): string {
  const numberStyle = `display:block;padding:12px 0;${font};font-size:16px;line-height:20px;font-weight:600;color:#15161c;text-decoration:none`
  const numbers = links.map(
    ({ label, url, description }) => `<td class="score" style="padding:0 2px 6px">${table} width="100%"><tr>
<td class="number" align="center" bgcolor="#ffffff" style="border:1px solid #7d7f8e;border-radius:8px;background:#ffffff"><a href="${escapeHtml(url)}" aria-label="${escapeHtml(description)}" style="${numberStyle}">${escapeHtml(label)}</a></td>
</tr></table></td>`,
  )
  const labelStyle = `${quiet};padding:4px 2px 26px`
  return `${table} width="100%" style="table-layout:fixed"><tr>
${numbers.join('\n')}
</tr></table>
${table} width="100%"><tr>
<td class="quiet" style="${labelStyle}">${escapeHtml(low ?? '')}</td>
<td class="quiet" align="right" style="${labelStyle}">${escapeHtml(high ?? '')}</td>
</tr></table>
${note ? renderParagraph(note) : ''}`
}

function renderButton({ label, url }: MailLink, brandColor?: string | null): string {
  const { fill: color, textOnFill: ink } = calculateBrandColors(brandColor, 'light')
  const style = `display:inline-block;padding:14px 26px;${font};font-size:16px;line-height:20px;border-radius:10px;color:${ink};font-weight:600;text-decoration:none`
  return `${table}><tr><td bgcolor="${color}" style="border-radius:10px;background:${color}"><a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a></td></tr></table>`
}

const plainLinkTexts: PageTexts<string> = {
  en: 'If the button does not work, open this link:',
  de: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diesen Link:',
  fr: 'Si le bouton ne fonctionne pas, ouvrez ce lien :',
  es: 'Si el botón no funciona, abra este enlace:',
  pt: 'Se o botão não funcionar, abra este link:',
}

function renderPlainLink(url: string, language = 'en'): string {
  const text = plainLinkTexts[language.toLowerCase().split('-')[0] as PageLanguage] ?? plainLinkTexts.en
  return `<p class="quiet" style="margin:26px 0 0;${quiet}">${text}<br><a href="${escapeHtml(url)}" style="color:#656776;word-break:break-all">${escapeHtml(url)}</a></p>`
}

const renderQuietLink = ({ label, url }: MailLink): string =>
  `<a href="${escapeHtml(url)}" style="color:#5f6170">${escapeHtml(label)}</a>`

const withLineBreaks = (text: string): string => escapeHtml(text).replace(/\r?\n/g, '<br>')
