import { escaped } from '#platform/html'

type Field = { name: string; label: string; type: 'email' | 'password' | 'text'; autocomplete: string; hint?: string }

// Only the script does anything. Until it is there, and without one, every button is closed: no click is lost, and no password
// ends up in an address.

/** Its fields, and the button that sends it. */
export const form = (fields: string[], submit: string): string => `<form method="post">
${fields.join('\n')}
<button type="submit" disabled>${escaped(submit)}</button>
</form>`

/** The first section is there from the start, the others when the script shows them. */
export const section = (id: string, heading: string, parts: string[], { isHidden = true } = {}): string =>
  `<section id="${id}"${isHidden ? ' hidden' : ''}>
<h1 tabindex="-1">${escaped(heading)}</h1>
${parts.join('\n')}
</section>`

export const paragraph = (text: string): string => `<p>${escaped(text)}</p>`

export const link = (text: string, path: string): string => `<a class="button" href="${path}">${escaped(text)}</a>`

/** Shows another section of the same page. */
export const turnTo = (text: string, id: string): string =>
  `<button type="button" data-show="${id}" disabled>${escaped(text)}</button>`

export const act = (text: string, id: string): string =>
  `<button type="button" id="${id}" disabled>${escaped(text)}</button>`

function field(section: string, { name, label, type, autocomplete, hint }: Field): string {
  const id = `${section}-${name}`
  const limits = type === 'text' ? ' maxlength="120"' : type === 'email' ? ' maxlength="254"' : ' maxlength="1024"'
  const input = `<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}"${limits} required`
  if (!hint) return `<label for="${id}">${escaped(label)}</label>\n${input}>`
  return `<label for="${id}">${escaped(label)}</label>
${input} aria-describedby="${id}-hint">
<small id="${id}-hint">${escaped(hint)}</small>`
}

export const emailField = (section: string): string =>
  field(section, { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' })

export const nameField = (section: string): string =>
  field(section, { name: 'name', label: 'Your name', type: 'text', autocomplete: 'name' })

export const passwordField = (section: string, name: string, label: string): string =>
  field(section, { name, label, type: 'password', autocomplete: 'current-password' })

export const newPasswordField = (section: string, name: string, label: string, minLength: number): string =>
  field(section, {
    name,
    label,
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${minLength} characters. A few words that do not belong together are fine.`,
  })
