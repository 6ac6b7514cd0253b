export const byId = (id) => document.getElementById(id)

/** Reads the URL fragment and removes it from the address bar and the history, because it contains secrets. */
export function consumeFragment() {
  const params = new URLSearchParams(location.hash.slice(1))
  history.replaceState(null, '', location.pathname)
  return params
}

/** Shows one section and moves the focus to its first empty field or its heading, for screen readers. */
export function show(id) {
  for (const section of document.querySelectorAll('main > section')) section.hidden = section.id !== id
  showError('')
  showStatus('')
  const fields = [...byId(id).querySelectorAll('input')]
  const focusTarget = fields.find((field) => field.value === '') ?? byId(id).querySelector('h1')
  focusTarget.focus()
}

export const showStatus = (text) => {
  byId('news').textContent = text
}

export const showError = (text) => {
  byId('problem').textContent = text
}

/** Replaces field names of the API, such as `new_password`, with the labels of the form. */
const withFieldLabels = (text, form) =>
  text.replace(/`(\w+)`/g, (_, name) => form?.elements.namedItem(name)?.labels[0]?.textContent ?? name)

export function showProblem({ detail, errors = [] }, form) {
  const text = errors.length ? errors.map(({ message }) => message).join(' ') : detail
  showError(withFieldLabels(text ?? 'Something went wrong. Try again.', form))
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
