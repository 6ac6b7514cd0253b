// Reports the time a visitor spends in a room. Reading works without this script.
const { shareToken, visitId, visitToken } = document.querySelector('#visit').dataset
const base = `/api/enablement/rooms/public/${shareToken}`
const idleSeconds = 60
const heartbeatSeconds = 15
const storageKey = `visit:${visitId}`

// Seconds are cumulative, so they must survive a reload of the page.
const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
let activeSeconds = stored.activeSeconds ?? 0
const views = new Map((stored.views ?? []).map((view) => [view.view_id, view]))
const viewByItem = new Map()
let current
let lastInput = Date.now()

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

const clock = setInterval(() => {
  const isActive = !document.hidden && (isPlaying() || Date.now() - lastInput < idleSeconds * 1000)
  if (!isActive) return
  activeSeconds += 1
  if (current) current.active_seconds += 1
  sessionStorage.setItem(storageKey, JSON.stringify({ activeSeconds, views: [...views.values()] }))
}, 1000)

async function heartbeat(keepalive = false) {
  const body = { active_seconds: activeSeconds, views: [...views.values()].slice(-20) }
  const { status } = await send('PATCH', `/visit/${visitId}`, body, keepalive)
  if ([403, 404, 409, 410].includes(status)) stop()
}

const first = setTimeout(() => heartbeat(), 5500)
const beats = setInterval(() => heartbeat(), heartbeatSeconds * 1000)
const onHide = () => heartbeat(true)
addEventListener('pagehide', onHide)

// The visit has ended or the link was revoked.
function stop() {
  clearTimeout(first)
  clearInterval(beats)
  clearInterval(clock)
  removeEventListener('pagehide', onHide)
}

async function openItem(element, action) {
  const itemId = element.closest('[data-item]').dataset.item
  const response = await send('POST', '/view', { item_id: itemId, action }, true)
  const { view_id } = response.ok ? await response.json() : {}
  if (!view_id) return
  if (!views.has(view_id)) views.set(view_id, { view_id, active_seconds: 0 })
  current = views.get(view_id)
  viewByItem.set(itemId, current)
}

for (const link of document.querySelectorAll('[data-item] a'))
  link.addEventListener('click', () => openItem(link, link.dataset.action ?? 'open'))
for (const media of document.querySelectorAll('[data-item] video, [data-item] audio')) {
  media.addEventListener('play', () => openItem(media, 'open'))
  media.addEventListener('timeupdate', () => {
    const view = viewByItem.get(media.closest('[data-item]').dataset.item)
    if (view && media.duration)
      view.progress = Math.max(view.progress ?? 0, Math.min(1, media.currentTime / media.duration))
  })
}
const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) openItem(target, 'open')
  },
  { threshold: 0.6 },
)
for (const shown of document.querySelectorAll('[data-item] iframe, [data-item] img')) seen.observe(shown)
