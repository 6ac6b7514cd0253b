export const byId = (id) => document.getElementById(id)

/** What stands behind the # is for this page only: it leaves the address bar, and with it the history, at once. */
export function takeFragment() {
  const given = new URLSearchParams(location.hash.slice(1))
  history.replaceState(null, '', location.pathname)
  return given
}

/** Shows one section. Whoever cannot see the page is taken along: to its first empty field, or else to its heading. */
export function show(id) {
  for (const section of document.querySelectorAll('main > section')) section.hidden = section.id !== id
  complain('')
  tell('')
  const fields = [...byId(id).querySelectorAll('input')]
  const start = fields.find((field) => field.value === '') ?? byId(id).querySelector('h1')
  start.focus()
}

export const tell = (text) => {
  byId('news').textContent = text
}

export const complain = (text) => {
  byId('problem').textContent = text
}

/** Says what is wrong, and leads to the field that is meant. */
export function complainOf({ detail, errors = [] }, form) {
  complain(
    errors.length ? errors.map(({ message }) => message).join(' ') : (detail ?? 'Something went wrong. Try again.'),
  )
  const meant = errors.map(({ path }) => form?.elements.namedItem(path.slice(1))).filter(Boolean)
  for (const field of meant) field.setAttribute('aria-invalid', 'true')
  meant[0]?.focus()
}

/** Of two clicks one counts: the form is closed until there is an answer. */
export function onSubmit(id, submit) {
  const form = byId(id).querySelector('form')
  const button = form.querySelector('[type=submit]')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (button.disabled) return
    button.disabled = true
    complain('')
    for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
    const refusal = await submit(Object.fromEntries(new FormData(form)), form)
    button.disabled = false
    if (refusal) complainOf(refusal, form)
  })
  button.disabled = false
}

export function onClick(id, act) {
  const button = byId(id)
  button.addEventListener('click', async () => {
    button.disabled = true
    await act()
    button.disabled = false
  })
  button.disabled = false
}

for (const button of document.querySelectorAll('[data-show]')) {
  button.addEventListener('click', () => show(button.dataset.show))
  button.disabled = false
}
