export const byId = (id) => document.getElementById(id)

/** Reads the URL fragment and removes it from the address bar and the history, because it contains secrets. */
export function consumeFragment() {
  const params = new URLSearchParams(location.hash.slice(1))
  history.replaceState(null, '', location.pathname)
  return params
}

/** Shows one section and moves the focus to its first empty field or its heading, for screen readers. */
export function show(id) {
  for (const section of document.querySelectorAll('main section')) section.hidden = section.id !== id
  showError('')
  showStatus('')
  const fields = [...byId(id).querySelectorAll('input')]
  const focusTarget = fields.find((field) => field.value === '') ?? byId(id).querySelector('h1')
  focusTarget.focus()
}

/** Returns the text of the page for a code, otherwise an empty text. */
export const messageOf = (code) =>
  document.querySelector(`template[data-message="${CSS.escape(code ?? '')}"]`)?.content.textContent ?? ''

function showNote(note, text) {
  note.querySelector('p').textContent = text
  note.hidden = text === ''
}

export const showStatus = (text) => showNote(byId('news'), text)

export const showError = (text) => showNote(byId('problem'), text)

export function showEmailAddress(email) {
  for (const element of document.querySelectorAll('[data-email]')) element.textContent = email
}

/** Replaces field names of the API, such as `new_password`, with the labels of the form. */
const withFieldLabels = (text, form) =>
  text.replace(/`(\w+)`/g, (_, name) => form?.elements.namedItem(name)?.labels[0]?.textContent ?? name)

export function showProblem({ code, detail, errors = [] }, form) {
  const text = errors.length
    ? errors.map((error) => messageOf(error.code) || error.message).join(' ')
    : messageOf(code) || detail
  showError(withFieldLabels(text ?? messageOf('unreachable'), form))
  const invalidFields = errors.map(({ path }) => form?.elements.namedItem(path.slice(1))).filter(Boolean)
  for (const field of invalidFields) field.setAttribute('aria-invalid', 'true')
  invalidFields[0]?.focus()
}

/** Disables the form until the response arrives, so that a double click submits once. `submit` returns a problem on failure. */
export function onSubmit(id, submit) {
  const form = byId(id).querySelector('form')
  const button = form.querySelector('[type=submit]')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (button.disabled) return
    button.disabled = true
    showError('')
    showStatus('')
    for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
    const problem = await submit(Object.fromEntries(new FormData(form)), form)
    button.disabled = false
    if (problem) showProblem(problem, form)
  })
  button.disabled = false
}

export function onClick(id, action) {
  const button = byId(id)
  button.addEventListener('click', async () => {
    button.disabled = true
    await action()
    button.disabled = false
  })
  button.disabled = false
}

for (const button of document.querySelectorAll('[data-show]')) {
  button.addEventListener('click', () => show(button.dataset.show))
  button.disabled = false
}

for (const button of document.querySelectorAll('[data-reveal]')) {
  const field = byId(button.dataset.reveal)
  button.addEventListener('click', () => {
    const isHidden = field.type === 'password'
    field.type = isHidden ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(isHidden))
  })
  button.disabled = false
}

let forbiddenWords = []

/** The server sends the words together with the email address of a link. */
export function forbidWords(words) {
  forbiddenWords = words
}

const isForbidden = (password) =>
  forbiddenWords.some((word) => password === word || (word.length >= 5 && password.includes(word)))

for (const rules of document.querySelectorAll('.rules')) {
  const field = rules.closest('form').querySelector('[autocomplete=new-password]')
  const mark = (name, isMet) => rules.querySelector(`[data-rule=${name}]`).classList.toggle('met', isMet)
  field.addEventListener('input', () => {
    mark('length', [...field.value].length >= Number(rules.dataset.minLength))
    mark('names', forbiddenWords.length > 0 && field.value !== '' && !isForbidden(field.value.toLowerCase()))
  })
}
