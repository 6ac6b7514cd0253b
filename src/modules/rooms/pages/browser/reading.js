// Measures how long a visitor uses a page of a room, and reports it. Reading works without this script.
const idleSeconds = 60
const heartbeatSeconds = 15
const maxTickMilliseconds = 5000
// The server ends a visit after a pause as long as this.
const pauseSeconds = 30 * 60
const maxReadPages = 500

/** Starts measuring for the visit of the page. Without a visit, such as in a preview, nothing is measured. */
export function startReading(element) {
  const { shareToken } = element.dataset
  const base = `/api/enablement/rooms/public/${shareToken}`
  let { visitId, visitToken } = element.dataset
  let opened
  let currentViewId
  let lastInput = Date.now()
  let lastTick = Date.now()
  let sentMilliseconds = 0
  let isEnded = false
  let isRenewing = false
  const listeners = []

  const storageKey = () => `visit:${visitId}`
  let state = loadState(Number(element.dataset.reportedSeconds) * 1000)

  // Tabs share the state, because seconds are cumulative and belong to the visit.
  function loadState(reported = 0) {
    const initial = { milliseconds: reported, countedAt: 0, views: {} }
    try {
      return { ...initial, ...JSON.parse(localStorage.getItem(storageKey()) ?? '{}') }
    } catch {
      return state ?? initial
    }
  }
  function storeState() {
    try {
      localStorage.setItem(storageKey(), JSON.stringify(state))
    } catch {}
  }

  const send = (method, path, body, keepalive = false) =>
    fetch(`${base}${path}`, {
      method,
      keepalive,
      headers: { 'content-type': 'application/json', 'x-visit-token': visitToken },
      body: JSON.stringify(body),
    })

  for (const event of ['pointerdown', 'pointermove', 'keydown', 'scroll', 'touchstart', 'touchmove', 'wheel'])
    addEventListener(event, () => (lastInput = Date.now()), { passive: true, capture: true })

  const isPlaying = () => [...document.querySelectorAll('video, audio')].some((media) => !media.paused && !media.ended)

  // A tick counts the time that passed, unless another tab has counted it.
  function tick() {
    const now = Date.now()
    const passed = Math.min(now - lastTick, maxTickMilliseconds)
    lastTick = now
    if (document.hidden || (!isPlaying() && now - lastInput >= idleSeconds * 1000)) return
    state = loadState()
    if (isEnded || (state.countedAt && now - state.countedAt >= pauseSeconds * 1000)) return void renewVisit()
    const counted = Math.max(0, Math.min(passed, now - state.countedAt))
    state.milliseconds += counted
    state.countedAt = now
    const view = state.views[currentViewId]
    if (view) {
      view.milliseconds += counted
      for (const listener of listeners) listener(view, counted)
    }
    storeState()
  }

  async function sendHeartbeat(keepalive = false) {
    if (isEnded) return
    const [reported, reportedId] = [state.milliseconds, visitId]
    const views = Object.entries(state.views).map(([view_id, { milliseconds, progress, page, pages }]) => ({
      view_id,
      active_seconds: Math.floor(milliseconds / 1000),
      ...(progress && { progress }),
      ...(page && { page }),
      // The other views were reported before, and a request of a closed page must be small.
      ...(pages && view_id === currentViewId && { pages: listReadPages(pages) }),
    }))
    const body = { active_seconds: Math.floor(reported / 1000), views: views.slice(-20) }
    // Without a connection, the next heartbeat reports it.
    const response = await send('PATCH', `/visit/${visitId}`, body, keepalive).catch(() => undefined)
    if (!response || reportedId !== visitId) return
    sentMilliseconds = reported
    if ([403, 404, 409, 410].includes(response.status)) isEnded = true
  }
  const sendNews = (keepalive) => state.milliseconds > sentMilliseconds && sendHeartbeat(keepalive)

  // A visit ends after a pause. The cookie of the page starts the next one, or the page shows what the link requires.
  async function renewVisit() {
    if (isRenewing) return
    isRenewing = true
    const response = await fetch(`/r/${shareToken}`, { method: 'POST', body: new URLSearchParams() })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const renewed = page.querySelector('#visit')?.dataset
    if (!renewed?.visitId) return location.reload()
    ;({ visitId, visitToken } = renewed)
    state = loadState()
    sentMilliseconds = state.milliseconds
    isEnded = false
    isRenewing = false
    if (opened) await open(opened.itemId)
    await sendHeartbeat()
  }

  /** Opens a view of an item, to which the time belongs from now on. */
  async function open(itemId, action = 'open') {
    opened = { itemId }
    if (!visitId) return
    const response = await send('POST', '/view', { item_id: itemId, action }, true).catch(() => undefined)
    const { view_id, reported_seconds } = response?.ok ? await response.json() : {}
    currentViewId = view_id ?? undefined
    if (!view_id) return
    state = loadState()
    state.views[view_id] ??= { milliseconds: (reported_seconds ?? 0) * 1000, itemId }
    storeState()
  }

  if (visitId) {
    setInterval(tick, 1000)
    setTimeout(sendHeartbeat, 5500)
    setInterval(sendNews, heartbeatSeconds * 1000)
    addEventListener('pagehide', () => sendNews(true))
    document.addEventListener('visibilitychange', () => document.hidden && sendNews(true))
  }

  return {
    open,
    /** Calls the listener with the current view and the milliseconds that were counted for it. */
    onCounted: (listener) => listeners.push(listener),
    /** Changes the state of the latest view of an item. */
    update(itemId, change) {
      state = loadState()
      const view = Object.values(state.views).findLast((one) => one.itemId === itemId)
      if (!view) return
      change(view)
      storeState()
    },
  }
}

/** The server takes the seconds of 500 pages. */
const listReadPages = (pages) =>
  Object.entries(pages)
    .map(([page, milliseconds]) => ({ page: Number(page), seconds: Math.floor(milliseconds / 1000) }))
    .filter(({ seconds }) => seconds > 0)
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, maxReadPages)

/** Returns the part of a video or audio file that was played, without parts that were skipped. */
export function playedRate({ played, duration }) {
  let seconds = 0
  for (let n = 0; n < played.length; n++) seconds += played.end(n) - played.start(n)
  return duration > 0 ? Math.min(1, seconds / duration) : 0
}

/** Reports plays of the video and audio files of items. */
export function watchMedia(reading, media, itemId) {
  media.addEventListener('play', () => reading.open(itemId))
  const report = () =>
    reading.update(itemId, (view) => (view.progress = Math.max(view.progress ?? 0, playedRate(media))))
  media.addEventListener('timeupdate', report)
  media.addEventListener('ended', report)
}
