import { startReading, watchMedia } from './reading.js'

const viewer = document.querySelector('#viewer')
const { item: itemId, pdf: pdfUrl } = viewer.dataset
const reading = startReading(document.querySelector('#visit'))

for (const media of viewer.querySelectorAll('video, audio')) watchMedia(reading, media, itemId)
for (const link of document.querySelectorAll('a[data-action]'))
  link.addEventListener('click', () => reading.open(itemId, link.dataset.action))
reading.open(itemId)
if (pdfUrl) showDocument()

async function showDocument() {
  try {
    const { showPdf } = await import('./document.js')
    await showPdf(viewer, reading, showFailure)
  } catch (error) {
    isUnreadable(error) ? showFrame() : showFailure()
  }
}

const isUnreadable = ({ name }) => ['InvalidPDFException', 'PasswordException', 'FormatError'].includes(name)

// Files that the library cannot read are shown by the browser.
function showFrame() {
  const frame = document.createElement('iframe')
  frame.src = pdfUrl
  frame.title = document.querySelector('h1').textContent
  viewer.replaceChildren(frame)
  hideDocument()
}

// A new page also has a new URL of the file, which can have expired.
function showFailure() {
  const failure = document.querySelector('#failure')
  failure.hidden = false
  failure.querySelector('button').addEventListener('click', () => location.reload())
  if (!viewer.querySelector('canvas')) hideDocument()
}

function hideDocument() {
  document.querySelector('.strip').remove()
  document.querySelector('#loading').hidden = true
}
