import { escapeHtml } from '#platform/html'

type Field = { name: string; label: string; type: 'email' | 'password' | 'text'; autocomplete: string; hint?: string }

// Buttons are disabled until the script has loaded, so that no click is lost and no password ends up in a URL.

export const form = (fields: string[], submitLabel: string): string => `<form method="post">
${fields.join('\n')}
<button type="submit" disabled>${escapeHtml(submitLabel)}</button>
</form>`

export const section = (id: string, heading: string, parts: string[], { isHidden = true } = {}): string =>
  `<section id="${id}"${isHidden ? ' hidden' : ''}>
<h1 tabindex="-1">${escapeHtml(heading)}</h1>
${parts.join('\n')}
</section>`

export const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`

export const link = (text: string, path: string): string => `<a class="button" href="${path}">${escapeHtml(text)}</a>`

export const sectionButton = (text: string, id: string): string =>
  `<button type="button" data-show="${id}" disabled>${escapeHtml(text)}</button>`

export const actionButton = (text: string, id: string): string =>
  `<button type="button" id="${id}" disabled>${escapeHtml(text)}</button>`

function field(section: string, { name, label, type, autocomplete, hint }: Field): string {
  const id = `${section}-${name}`
  const limits = type === 'text' ? ' maxlength="120"' : type === 'email' ? ' maxlength="254"' : ' maxlength="1024"'
  const input = `<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}"${limits} required`
  const description = hint ? ` aria-describedby="${id}-hint"` : ''
  return [
    `<label for="${id}">${escapeHtml(label)}</label>`,
    `${input}${description}>`,
    hint && `<small id="${id}-hint">${escapeHtml(hint)}</small>`,
    type === 'password' && revealButton(id),
  ]
    .filter(Boolean)
    .join('\n')
}

const revealButton = (fieldId: string): string =>
  `<button type="button" class="reveal" data-reveal="${fieldId}" aria-pressed="false" disabled>Show password</button>`

export const emailField = (section: string): string =>
  field(section, { name: 'email', label: 'Email address', type: 'email', autocomplete: 'username' })

export const nameField = (section: string): string =>
  field(section, { name: 'name', label: 'Your name', type: 'text', autocomplete: 'name' })

export const keyNameField: string = field('signed-in', {
  name: 'name',
  label: 'Name of the key',
  type: 'text',
  autocomplete: 'off',
})

export const passwordField = (section: string, name: string, label: string): string =>
  field(section, { name, label, type: 'password', autocomplete: 'current-password' })

export const newPasswordField = (section: string, name: string, label: string, minLength: number): string =>
  field(section, {
    name,
    label,
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${minLength} characters. A passphrase of several unrelated words works well.`,
  })
