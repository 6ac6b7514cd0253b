import { startReading, watchMedia } from './reading.js'

const viewer = document.querySelector('#viewer')
const { item: itemId, pdf: pdfUrl, page: firstPage } = viewer.dataset
const reading = startReading(document.querySelector('#visit'))
const seenMilliseconds = 1000

for (const media of viewer.querySelectorAll('video, audio')) watchMedia(reading, media, itemId)
for (const link of document.querySelectorAll('a[data-action]'))
  link.addEventListener('click', () => reading.open(itemId, link.dataset.action))
await reading.open(itemId)
if (pdfUrl) await showPdf().catch(showFrame)

async function showPdf() {
  const { getDocument, GlobalWorkerOptions } = await import('./pdfjs/pdf.mjs')
  GlobalWorkerOptions.workerSrc = '/r/pdfjs/pdf.worker.mjs'
  const pdf = await getDocument({ url: pdfUrl, rangeChunkSize: 2 ** 20 }).promise
  const first = await pdf.getPage(1)
  const { width, height } = first.getViewport({ scale: 1 })
  const pages = Array.from({ length: pdf.numPages }, (_, index) => addPage(index + 1, width, height))
  const visible = new Map()
  let current = 0

  const draw = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) isIntersecting ? drawPage(pdf, target) : clearPage(target)
    },
    { rootMargin: '100% 0%' },
  )
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { target, intersectionRect } of entries) visible.set(target, intersectionRect.height)
      const [largest] = pages.toSorted((one, other) => (visible.get(other) ?? 0) - (visible.get(one) ?? 0))
      if (visible.get(largest)) setCurrent(Number(largest.dataset.page))
    },
    { threshold: Array.from({ length: 21 }, (_, n) => n / 20) },
  )

  const position = document.querySelector('#position')
  const [previous, next] = [document.querySelector('#previous'), document.querySelector('#next')]
  function setCurrent(number) {
    if (number === current) return
    current = number
    position.textContent = `Page ${number} of ${pdf.numPages}`
    previous.disabled = number === 1
    next.disabled = number === pdf.numPages
    const address = new URL(location.href)
    address.searchParams.set('page', number)
    history.replaceState(null, '', address)
  }
  const goTo = (number) => pages[Math.min(Math.max(number, 1), pdf.numPages) - 1].scrollIntoView()
  previous.addEventListener('click', () => goTo(current - 1))
  next.addEventListener('click', () => goTo(current + 1))
  addEventListener('keydown', ({ key, target }) => {
    if (target.closest?.('input, textarea, select')) return
    if (key === 'ArrowLeft') goTo(current - 1)
    if (key === 'ArrowRight') goTo(current + 1)
  })

  // A page was read if it was shown for a second in use.
  reading.onCounted((view, milliseconds) => {
    view.pages ??= {}
    view.pages[current] = (view.pages[current] ?? 0) + milliseconds
    const read = Object.keys(view.pages).filter((page) => view.pages[page] >= seenMilliseconds)
    if (!read.length) return
    view.page = Math.max(...read.map(Number))
    view.progress = Math.min(1, read.length / pdf.numPages)
  })

  document.querySelector('#pages').hidden = false
  goTo(Number(firstPage))
  setCurrent(Math.min(Math.max(Number(firstPage), 1), pdf.numPages))
  for (const page of pages) {
    draw.observe(page)
    watch.observe(page)
  }
}

function addPage(number, width, height) {
  const page = document.createElement('section')
  page.dataset.page = number
  page.setAttribute('aria-label', `Page ${number}`)
  page.className = 'page'
  const canvas = document.createElement('canvas')
  canvas.setAttribute('aria-hidden', 'true')
  canvas.style.aspectRatio = `${width} / ${height}`
  const text = document.createElement('p')
  text.className = 'page-text'
  page.append(canvas, text)
  viewer.append(page)
  return page
}

async function drawPage(pdf, element) {
  if (element.dataset.drawn) return
  element.dataset.drawn = 'true'
  const [canvas, text] = element.children
  const page = await pdf.getPage(Number(element.dataset.page))
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = (canvas.clientWidth / width) * Math.min(devicePixelRatio, 2)
  const viewport = page.getViewport({ scale })
  canvas.style.aspectRatio = `${width} / ${height}`
  ;[canvas.width, canvas.height] = [Math.ceil(viewport.width), Math.ceil(viewport.height)]
  await page.render({ canvas, canvasContext: canvas.getContext('2d'), viewport }).promise
  if (text.textContent) return
  const { items } = await page.getTextContent()
  text.textContent = items.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join('')
}

// Pages far away give their memory back, because phones have little of it.
function clearPage(element) {
  if (!element.dataset.drawn) return
  delete element.dataset.drawn
  const [canvas] = element.children
  ;[canvas.width, canvas.height] = [0, 0]
}

// Files that the library cannot read are shown by the browser.
function showFrame() {
  const frame = document.createElement('iframe')
  frame.src = pdfUrl
  frame.title = document.querySelector('h1').textContent
  viewer.replaceChildren(frame)
}
