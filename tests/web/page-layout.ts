import type { Page } from 'playwright-core'

/**
 * Returns the parts of a page that its left or right edge cuts off, and titles and landmarks inside a part that scrolls sideways. The
 * width of the document says nothing, because the shell hides what does not fit.
 */
export const findCutParts = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const isVisible = (element) => element.checkVisibility({ visibilityProperty: true })
    const describe = (element) => element.outerHTML.slice(0, 160)
    const scrollsSideways = (element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
    const isScrolled = (element) => {
      for (let part = element.parentElement; part; part = part.parentElement) if (scrollsSideways(part)) return true
      return false
    }
    const isCut = (element) => {
      const { left, right, width } = element.getBoundingClientRect()
      return width > 0 && (left < -1 || right > innerWidth + 1)
    }
    const elements = [...document.body.querySelectorAll('*')].filter(isVisible)
    const cut = elements.filter((element) => isCut(element) && !isScrolled(element) && !element.closest('[aria-hidden=true]'))
    const outermost = cut.filter((element) => !cut.includes(element.parentElement))
    const wide = elements.filter((part) => scrollsSideways(part) && part.scrollWidth > part.clientWidth + 1)
    const misplaced = wide.filter((part) => part.matches('html, main, dialog') || part.querySelector('h1, main, nav'))
    return [
      ...outermost.map((element) => 'cut off: ' + describe(element)),
      ...misplaced.map((part) => 'scrolls sideways: ' + describe(part)),
    ]
  })()`)

/** Returns fields without a name of their own. The rules of axe-core accept a placeholder, which disappears when a person types. */
export const findUnnamedFields = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('input:not([type=hidden]), select, textarea')]
    .filter((field) => field.checkVisibility({ visibilityProperty: true }) && !field.closest('[aria-hidden=true]'))
    .filter((field) => !field.labels?.length && !field.ariaLabel && !field.getAttribute('aria-labelledby'))
    .map((field) => 'without a label: ' + field.outerHTML.slice(0, 160))`)

/**
 * Returns texts of the application that a part of the page cuts off or that are wider than their part: exactly these texts, and all that
 * contain the marker. Names of records may be shortened. Options and placeholders have no elements, so that their width is measured.
 * Also returns buttons that are narrower than what they contain.
 */
export const findCutTexts = (page: Page, texts: readonly string[], marker = ''): Promise<string[]> =>
  page.evaluate(`(() => {
    const texts = new Set(${JSON.stringify(texts)})
    const marker = ${JSON.stringify(marker)}
    const isText = (text) => texts.has(text) || (marker !== '' && text.includes(marker))
    const canvas = document.createElement('canvas').getContext('2d')
    const isClipped = (part) => getComputedStyle(part).clipPath === 'inset(50%)'
    const isHidden = (part) =>
      !part.checkVisibility({ visibilityProperty: true }) || part.closest('.visually-hidden, option') || isClipped(part)
    const isTooWide = (field, text) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(field)
      canvas.font = font
      return canvas.measureText(text).width > field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) + 1
    }
    const isCut = (node) => {
      const range = document.createRange()
      range.selectNodeContents(node)
      const { left, right, width } = range.getBoundingClientRect()
      if (width === 0) return false
      for (let part = node.parentElement; part; part = part.parentElement) {
        const { overflowX, display } = getComputedStyle(part)
        if (['auto', 'scroll'].includes(overflowX)) return false
        if (display === 'inline' || display === 'contents') continue
        const box = part.getBoundingClientRect()
        if (right > box.right + 1 || left < box.left - 1) return true
      }
      return false
    }
    const found = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const text = walker.currentNode.data.trim()
      const part = walker.currentNode.parentElement
      if (isText(text) && !isHidden(part) && isCut(walker.currentNode)) found.push('cut text: ' + text + ' in ' + part.className)
    }
    for (const button of document.querySelectorAll('button, a')) {
      const isWider = button.scrollWidth > button.clientWidth + 1 && getComputedStyle(button).overflowX === 'visible'
      if (isWider && button.clientWidth > 0 && !isHidden(button)) found.push('wider than its button: ' + button.textContent)
    }
    for (const field of document.querySelectorAll('select, input[placeholder]')) {
      const text = field.matches('select') ? (field.selectedOptions[0]?.textContent ?? '') : field.value ? '' : field.placeholder
      if (isText(text) && !isHidden(field) && isTooWide(field, text)) found.push('cut text: ' + text + ' in ' + field.className)
    }
    return found
  })()`)

/** The keys of these parts, the last two of which are those of a board, move between their controls. */
const partsWithKeys = '[role=grid], [role=menu], [role=listbox], [role=tablist], [id^=card-], [data-menu]'

/** Returns controls that the Tab key does not reach. */
export const findUnreachableControls = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [role=button]')]
    .filter((control) => control.tabIndex < 0 && !control.disabled && control.type !== 'hidden')
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .filter((control) => !control.closest('[inert], [aria-hidden=true], ${partsWithKeys}'))
    .map((control) => 'not reached by Tab: ' + control.outerHTML.slice(0, 160))`)
