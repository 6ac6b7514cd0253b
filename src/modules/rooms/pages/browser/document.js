import { GlobalWorkerOptions, getDocument } from './pdfjs/pdf.mjs'

GlobalWorkerOptions.workerSrc = '/r/pdfjs/pdf.worker.mjs'
const seenMilliseconds = 1000
// Larger files are loaded in parts, when their pages are shown.
const largeBytes = 20_000_000
// Phones do not show larger canvases.
const maxPixels = 16_000_000
const portraitWidth = 860
const swipePixels = 60
const column = matchMedia('(max-width: 640px)')

/** Draws the pages and the strip. On a phone the pages are one column, otherwise one is shown at a time. */
export async function showPdf(viewer, reading, showFailure) {
  const { pdf: url, page: firstPage, size, read, texts } = viewer.dataset
  const isLarge = Number(size) > largeBytes
  const options = { url, rangeChunkSize: 2 ** 20, disableAutoFetch: isLarge, disableStream: isLarge }
  const pdf = await getDocument(options).promise
  const count = pdf.numPages
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 })
  const say = createTexts(JSON.parse(texts), count)
  const readPages = new Set(read.split(' ').filter(Boolean).map(Number))
  const pages = Array.from({ length: count }, (_, n) => addPage(viewer, say, n + 1))
  const strip = addStrip(say, { count, ratio: `${width} / ${height}` }, goTo)
  const draw = createDrawing(pdf, { width, height }, showFailure)
  const byId = (id) => document.getElementById(id)
  const [previous, next, position, asText] = ['previous', 'next', 'position', 'as-text'].map(byId)
  let current = 0

  function setCurrent(number) {
    if (number === current) return
    current = number
    position.textContent = say.position(number)
    previous.disabled = number === 1
    next.disabled = number === count
    for (const page of pages) page.toggleAttribute('data-current', Number(page.dataset.page) === number)
    strip.setCurrent(number)
    const address = new URL(location.href)
    address.searchParams.set('page', number)
    history.replaceState(history.state, '', address)
  }
  function goTo(number) {
    const page = pages[Math.min(Math.max(number, 1), count) - 1]
    setCurrent(Number(page.dataset.page))
    const top = column.matches
      ? page.getBoundingClientRect().top - viewer.getBoundingClientRect().top
      : -viewer.scrollTop
    viewer.scrollBy(0, top)
  }
  function showRead() {
    byId('read').textContent = say.read(readPages.size)
    Object.assign(document.querySelector('.pager progress'), { max: count, value: readPages.size })
    strip.setRead(readPages)
  }

  previous.addEventListener('click', () => goTo(current - 1))
  next.addEventListener('click', () => goTo(current + 1))
  asText.addEventListener('click', () => {
    const isText = viewer.classList.toggle('as-text')
    asText.setAttribute('aria-pressed', isText)
    goTo(current)
  })
  listenToKeys((step) => goTo(current + step))
  listenToSwipes(viewer, (step) => goTo(current + step))

  // A page was read if it was shown for a second in use.
  reading.onCounted((view, milliseconds) => {
    view.pages ??= {}
    view.pages[current] = (view.pages[current] ?? 0) + milliseconds
    const seen = Object.keys(view.pages).filter((page) => view.pages[page] >= seenMilliseconds)
    if (!seen.length) return
    view.page = Math.max(...seen.map(Number))
    view.progress = Math.min(1, seen.length / count)
    for (const page of seen) readPages.add(Number(page))
    showRead()
  })

  const fitPages = () => {
    for (const page of pages) draw.fit(page.querySelector('canvas'), sizeOf(viewer, width, height))
  }
  document.querySelector('#pages').hidden = false
  document.querySelector('#loading').hidden = true
  fitPages()
  showRead()
  goTo(Number(firstPage))
  draw.observe(pages, viewer, '100% 0%')
  draw.observe(strip.links, strip.element, '50%')
  watchColumn(viewer, pages, setCurrent)
  let resized
  addEventListener('resize', () => {
    clearTimeout(resized)
    resized = setTimeout(() => {
      fitPages()
      draw.repeat(pages)
      if (column.matches) goTo(current)
    }, 200)
  })
}

const createTexts = ({ position, page, pageRead, read }, count) => {
  const { format } = new Intl.NumberFormat(document.documentElement.lang)
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => format(values[name]))
  return {
    position: (number) => fill(position, { page: number, count }),
    page: (number, isRead = false) => fill(isRead ? pageRead : page, { page: number }),
    read: (number) => fill(read, { read: number, count }),
  }
}

function addPage(viewer, say, number) {
  const page = document.createElement('section')
  page.dataset.page = number
  page.setAttribute('aria-label', say.page(number))
  page.className = 'page'
  const canvas = document.createElement('canvas')
  canvas.setAttribute('aria-hidden', 'true')
  const text = document.createElement('p')
  text.className = 'page-text'
  page.append(canvas, text)
  viewer.append(page)
  return page
}

function addStrip(say, { count, ratio }, goTo) {
  const element = document.querySelector('.strip')
  const template = document.querySelector('#page-link').content
  const links = Array.from({ length: count }, (_, index) => {
    const item = template.cloneNode(true)
    const link = item.querySelector('a')
    link.href = `?page=${index + 1}`
    link.querySelector('canvas').style.aspectRatio = ratio
    link.dataset.page = index + 1
    link.setAttribute('aria-label', say.page(index + 1))
    link.querySelector('span span').textContent = index + 1
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      goTo(index + 1)
    })
    element.firstElementChild.append(item)
    return link
  })
  if (count === 1) element.remove()

  function setCurrent(number) {
    element.querySelector('[aria-current]')?.removeAttribute('aria-current')
    const link = links[number - 1]
    link.setAttribute('aria-current', 'page')
    const { left, top, width, height } = link.getBoundingClientRect()
    const frame = element.getBoundingClientRect()
    element.scrollBy(left - frame.left - (frame.width - width) / 2, top - frame.top - (frame.height - height) / 2)
  }
  function setRead(pages) {
    for (const number of pages) {
      const link = links[number - 1]
      if (!link || link.classList.contains('read')) continue
      link.classList.add('read')
      link.setAttribute('aria-label', say.page(number, true))
    }
  }
  return { element, links, setCurrent, setRead }
}

/** Fits the page into the window; upright pages are wider, because their text would be too small to read. */
function sizeOf(viewer, width, height) {
  const style = getComputedStyle(viewer)
  const availableWidth = viewer.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
  if (column.matches) return availableWidth
  const fitting = (viewer.clientHeight * width) / height
  return Math.min(availableWidth, width > height ? fitting : Math.max(fitting, portraitWidth))
}

/** Draws canvases while they are close to the visible part, and then gives their memory back: phones have little of it. */
function createDrawing(pdf, first, showFailure) {
  const fit = (canvas, width, { width: pageWidth, height: pageHeight } = first) => {
    canvas.style.width = `${width}px`
    canvas.style.aspectRatio = `${pageWidth} / ${pageHeight}`
  }

  const tasks = new WeakMap()
  let draws = 0

  async function draw(element) {
    if (element.dataset.drawn) return
    const id = String(++draws)
    element.dataset.drawn = id
    const canvas = element.querySelector('canvas')
    const page = await pdf.getPage(Number(element.dataset.page))
    if (element.dataset.drawn !== id) return
    const { width, height } = page.getViewport({ scale: 1 })
    canvas.style.aspectRatio = `${width} / ${height}`
    const shownWidth = canvas.clientWidth || parseFloat(canvas.style.width)
    const wanted = (shownWidth / width) * Math.min(devicePixelRatio, 2)
    const viewport = page.getViewport({ scale: Math.min(wanted, Math.sqrt(maxPixels / (width * height))) })
    ;[canvas.width, canvas.height] = [Math.ceil(viewport.width), Math.ceil(viewport.height)]
    const task = page.render({ canvas, canvasContext: canvas.getContext('2d'), viewport })
    tasks.set(element, task)
    await task.promise
    const text = element.querySelector('.page-text')
    if (!text || text.textContent) return
    const { items } = await page.getTextContent()
    text.textContent = items.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join('')
  }
  const drawOrFail = (element) =>
    draw(element).catch(({ name }) => {
      if (name === 'RenderingCancelledException') return
      delete element.dataset.drawn
      showFailure()
    })

  function cancel(element) {
    delete element.dataset.drawn
    tasks.get(element)?.cancel()
  }
  function clear(element) {
    if (!element.dataset.drawn) return
    cancel(element)
    const canvas = element.querySelector('canvas')
    ;[canvas.width, canvas.height] = [0, 0]
  }
  return {
    fit,
    observe(elements, root, rootMargin) {
      const observer = new IntersectionObserver(
        (entries) => {
          for (const { isIntersecting, target } of entries) isIntersecting ? drawOrFail(target) : clear(target)
        },
        { root, rootMargin },
      )
      for (const element of elements) observer.observe(element)
    },
    /** Draws again in another size. */
    repeat(elements) {
      for (const element of elements) {
        if (!element.dataset.drawn) continue
        cancel(element)
        drawOrFail(element)
      }
    },
  }
}

/** The current page of a column is the one of which most is visible. */
function watchColumn(viewer, pages, setCurrent) {
  const visible = new Map()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, intersectionRect } of entries) visible.set(target, intersectionRect.height)
      if (!column.matches) return
      const [largest] = pages.toSorted((one, other) => (visible.get(other) ?? 0) - (visible.get(one) ?? 0))
      if (visible.get(largest)) setCurrent(Number(largest.dataset.page))
    },
    { root: viewer, threshold: Array.from({ length: 21 }, (_, n) => n / 20) },
  )
  for (const page of pages) observer.observe(page)
}

const stepOfKey = { ArrowLeft: -1, ArrowRight: 1 }

function listenToKeys(move) {
  addEventListener('keydown', ({ key, target, altKey, ctrlKey, metaKey }) => {
    if (altKey || ctrlKey || metaKey || target.closest?.('input, textarea, select')) return
    if (stepOfKey[key]) move(stepOfKey[key])
  })
}

function listenToSwipes(viewer, move) {
  let start
  viewer.addEventListener('touchstart', ({ touches }) => (start = touches.length === 1 ? touches[0] : undefined), {
    passive: true,
  })
  viewer.addEventListener('touchend', ({ changedTouches: [end] }) => {
    if (!start || visualViewport.scale > 1) return
    const [x, y] = [end.clientX - start.clientX, end.clientY - start.clientY]
    if (Math.abs(x) > swipePixels && Math.abs(x) > 2 * Math.abs(y)) move(x < 0 ? 1 : -1)
  })
}
