// Reports the time a visitor spends in a room. Reading works without this script.
const { shareToken, visitId, visitToken } = document.querySelector('#visit').dataset
const base = `/api/enablement/rooms/public/${shareToken}`
const idleSeconds = 60
const heartbeatSeconds = 15

let activeSeconds = 0
let lastInput = Date.now()
let current
const views = new Map()

const send = (method, path, body, keepalive = false) =>
  fetch(`${base}${path}`, {
    method,
    keepalive,
    headers: { 'content-type': 'application/json', 'x-visit-token': visitToken },
    body: JSON.stringify(body),
  })

for (const event of ['pointerdown', 'pointermove', 'keydown', 'scroll', 'touchstart'])
  addEventListener(event, () => (lastInput = Date.now()), { passive: true })

const isPlaying = () => [...document.querySelectorAll('video, audio')].some((media) => !media.paused)

setInterval(() => {
  const isActive = !document.hidden && (isPlaying() || Date.now() - lastInput < idleSeconds * 1000)
  if (!isActive) return
  activeSeconds += 1
  if (current) current.active_seconds += 1
}, 1000)

function heartbeat(ended = false) {
  const body = { active_seconds: activeSeconds, views: [...views.values()].slice(-20), ended }
  return send('PATCH', `/visit/${visitId}`, body, ended)
}

setTimeout(() => heartbeat(), 5500)
setInterval(() => heartbeat(), heartbeatSeconds * 1000)
addEventListener('pagehide', () => heartbeat())

async function openItem(element, action) {
  const itemId = element.closest('[data-item]').dataset.item
  const response = await send('POST', '/view', { item_id: itemId, action }, true)
  const { view_id } = response.ok ? await response.json() : {}
  if (!view_id) return
  if (!views.has(view_id)) views.set(view_id, { view_id, active_seconds: 0 })
  current = views.get(view_id)
}

for (const link of document.querySelectorAll('[data-item] a'))
  link.addEventListener('click', () => openItem(link, link.dataset.action ?? 'open'))
for (const media of document.querySelectorAll('[data-item] video, [data-item] audio')) {
  media.addEventListener('play', () => openItem(media, 'open'))
  media.addEventListener('timeupdate', () => {
    if (current && media.duration)
      current.progress = Math.max(current.progress ?? 0, Math.min(1, media.currentTime / media.duration))
  })
}
const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) openItem(target, 'open')
  },
  { threshold: 0.6 },
)
for (const frame of document.querySelectorAll('[data-item] iframe, [data-item] img')) seen.observe(frame)
