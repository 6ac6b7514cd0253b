import { escapeHtml } from './escape-html.ts'
import { icons, renderIcon } from './icons.ts'
import type { PageLanguage, PageTexts } from './page-languages.ts'
import { type PageTheme, type PublicPage, renderSender } from './public-page.ts'

export type CardTop = {
  icon?: keyof typeof icons
  /** Colors of the icon; otherwise those of the workspace. */
  tone?: 'plain' | 'good' | 'warn'
  heading: string
  /** HTML. */
  lead?: string
}

type Card = Pick<PublicPage, 'title' | 'script' | 'formAction'> & {
  language: PageLanguage
  /** HTML. */
  parts: readonly string[]
  isWide?: boolean
}

export const productTexts: PageTexts<string> = {
  en: 'Runs on Tributary',
  de: 'Läuft mit Tributary',
  fr: 'Fonctionne avec Tributary',
  es: 'Funciona con Tributary',
  pt: 'Funciona com o Tributary',
}

/** A page with one card, such as sign-in. */
export const buildCardPage = (
  { workspace, logoUrl }: PageTheme,
  { parts, isWide = false, ...page }: Card,
): PublicPage => ({
  ...page,
  layout: 'card-page',
  header: renderSender(workspace, logoUrl),
  main: `<div class="card${isWide ? ' wide' : ''}">\n${parts.join('\n')}\n</div>`,
  footer: `<span>${productTexts[page.language]}</span>`,
})

export const renderCardTop = ({ icon, tone, heading, lead }: CardTop): string =>
  [
    '<div class="top">',
    icon && `<div class="state-icon${tone ? ` ${tone}` : ''}">${renderIcon(icons[icon], 23)}</div>`,
    `<h1 tabindex="-1">${escapeHtml(heading)}</h1>`,
    lead && `<p class="lead">${lead}</p>`,
    '</div>',
  ]
    .filter(Boolean)
    .join('')

const noteIcons = { bad: icons.warning, good: icons.checkedCircle, plain: icons.warning }

/** `content` is HTML. */
export const renderNote = (kind: keyof typeof noteIcons, content: string, attributes = ''): string =>
  `<div class="note${kind === 'plain' ? '' : ` ${kind}`}"${attributes}>${renderIcon(noteIcons[kind], 18)}<p>${content}</p></div>`
