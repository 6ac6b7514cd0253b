import { startReading } from './reading.js'

let visit = document.querySelector('#visit')
if (visit) measureVisit()
else
  for (const event of ['pointerdown', 'keydown', 'wheel', 'touchmove'])
    addEventListener(event, startVisit, { passive: true })

function measureVisit() {
  const reading = startReading(visit)
  for (const link of document.querySelectorAll('[data-item] a[data-action]'))
    link.addEventListener('click', () => reading.open(link.closest('[data-item]').dataset.item, link.dataset.action))
}

// A room without files has no button that starts a visit, so using the page starts it.
let isStarting = false
async function startVisit() {
  if (isStarting) return
  isStarting = true
  const response = await fetch(location.pathname, { method: 'POST', body: new URLSearchParams() })
  visit = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('#visit')
  if (!visit) return
  document.querySelector('main').append(visit)
  measureVisit()
}

// A landscape page is shown wider than a portrait one.
for (const image of document.querySelectorAll('.thumb:not(.fill) img')) {
  const mark = () => image.parentElement.classList.toggle('landscape', image.naturalWidth > image.naturalHeight)
  if (image.complete) mark()
  image.addEventListener('load', mark)
}

// A step is changed without leaving the page. If the server refuses it, the form is submitted and its page says why.
document.addEventListener('submit', async (event) => {
  const form = event.target
  const { step } = form.dataset
  if (!step || !visit) return
  event.preventDefault()
  const { shareToken, visitToken } = visit.dataset
  const { value: status } = event.submitter
  const response = await fetch(`/api/enablement/rooms/public/${shareToken}/plan/${step}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-visit-token': visitToken },
    body: JSON.stringify({ status }),
  }).catch(() => undefined)
  if (!response?.ok || !(await showPlan(step, form.closest('#next') !== null))) submitForm(form, status)
})

function submitForm(form, status) {
  const field = document.createElement('input')
  Object.assign(field, { type: 'hidden', name: 'status', value: status })
  form.append(field)
  form.submit()
}

/** Takes the plan from the page as the server shows it now, in its language. */
async function showPlan(step, isOfNextStep) {
  const response = await fetch(location.pathname)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const ids = ['next', 'plan', 'plan-count']
  if (!ids.every((id) => page.getElementById(id) && document.getElementById(id))) return false
  for (const id of ids) document.getElementById(id).replaceWith(page.getElementById(id))
  const next = isOfNextStep && document.querySelector('#next-step')
  const tick = document.querySelector(`#plan form[data-step="${step}"] button`)
  ;(next || tick)?.focus()
  document.querySelector('#plan-news').textContent = document.querySelector('#plan .count').textContent
  return true
}
