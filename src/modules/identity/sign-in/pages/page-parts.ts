import { attributes, type CardTop, escapeHtml, icons, renderCardTop, renderIcon } from '#platform/html'
import type { AccountTexts } from './texts/account-texts.ts'

type Field = {
  name: string
  label: string
  type: 'email' | 'password' | 'text'
  autocomplete: string
  describedBy?: string
  /** HTML beside the label. */
  aside?: string
}

// Buttons are disabled until the script has loaded, so that no click is lost and no password ends up in a URL.

export const form = (fields: string[], submitLabel: string, after = ''): string => `<form method="post">
${fields.join('\n')}
<button class="button primary wide" type="submit" disabled>${escapeHtml(submitLabel)}</button>
${after}</form>`

export const section = (id: string, top: CardTop, parts: string[] = [], { isHidden = true } = {}): string =>
  `<section id="${id}"${isHidden ? ' hidden' : ''}>
${renderCardTop(top)}
${parts.join('\n')}
</section>`

export const link = (text: string, path: string, kind = ''): string =>
  `<a class="button wide${kind}" href="${path}">${escapeHtml(text)}</a>`

export const sectionButton = (text: string, id: string, classes = 'button quiet wide'): string =>
  `<button class="${classes}" type="button" data-show="${id}" disabled>${escapeHtml(text)}</button>`

export const actionButton = (text: string, id: string, classes = 'button wide'): string =>
  `<button class="${classes}" type="button" id="${id}" disabled>${escapeHtml(text)}</button>`

/** Renders a sentence with an email address, which the script of the page fills in. */
export const withEmailAddress = (parts: readonly string[]): string =>
  parts.map((part) => (part === '{email}' ? '<b data-email></b>' : escapeHtml(part))).join('')

function renderField(section: string, { name, label, type, autocomplete, describedBy, aside = '' }: Field): string {
  const id = `${section}-${name}`
  const maxlength = { text: 120, email: 254, password: 1024 }[type]
  const input = attributes({
    class: 'input',
    id,
    name,
    type,
    autocomplete,
    maxlength,
    required: true,
    'aria-describedby': describedBy,
  })
  return `<div class="field"><span class="field-line"><label for="${id}">${escapeHtml(label)}</label>${aside}</span>
${type === 'password' ? `<div class="password"><input${input}>` : `<input${input}>`}`
}

export const emailField = (section: string, { emailAddress }: AccountTexts): string =>
  `${renderField(section, { name: 'email', label: emailAddress, type: 'email', autocomplete: 'username' })}</div>`

export const textField = (section: string, name: string, label: string, autocomplete: string): string =>
  `${renderField(section, { name, label, type: 'text', autocomplete })}</div>`

type PasswordField = { name: string; label: string; describedBy?: string; aside?: string }

export function passwordField(section: string, field: PasswordField, texts: AccountTexts): string {
  const autocomplete = field.name === 'new_password' || section === 'sign-up' ? 'new-password' : 'current-password'
  const button = attributes({
    type: 'button',
    'data-reveal': `${section}-${field.name}`,
    'aria-label': texts.showPassword,
    'aria-pressed': 'false',
    disabled: true,
  })
  return `${renderField(section, { ...field, type: 'password', autocomplete })}<button${button}>${escapeHtml(texts.show)}</button></div></div>`
}

/** The script marks the first two rules as they are met. The server checks all of them. */
export function passwordRules(section: string, { workspace, minLength }: RuleValues, texts: AccountTexts): string {
  const rules: [name: string, text: string][] = [
    ['length', texts.minLength(minLength)],
    ['names', texts.withoutNames(workspace)],
    ['common', texts.notCommon],
  ]
  const items = rules.map(
    ([name, text]) =>
      `<li data-rule="${name}">${renderIcon(icons.checkedCircle, 17)}<span>${escapeHtml(text)}</span><em>${escapeHtml(texts.met)}</em></li>`,
  )
  return `<ul class="rules" id="${section}-rules" data-min-length="${minLength}">${items.join('')}</ul>`
}

type RuleValues = { workspace: string; minLength: number }
