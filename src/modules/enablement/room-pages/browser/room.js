import { startReading, watchMedia } from './reading.js'

const reading = startReading(document.querySelector('#visit'))
const itemOf = (element) => element.closest('[data-item]').dataset.item

for (const link of document.querySelectorAll('[data-item] a[data-action]'))
  link.addEventListener('click', () => reading.open(itemOf(link), link.dataset.action))
for (const media of document.querySelectorAll('[data-item] video, [data-item] audio'))
  watchMedia(reading, media, itemOf(media))

const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) reading.open(itemOf(target))
  },
  { threshold: 0.6 },
)
for (const image of document.querySelectorAll('[data-item] img.content')) seen.observe(image)
