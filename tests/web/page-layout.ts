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

/** The keys of these parts, the last two of which are those of a board, move between their controls. */
const partsWithKeys = '[role=grid], [role=menu], [role=listbox], [role=tablist], [id^=card-], [data-menu]'

/** Returns controls that the Tab key does not reach. */
export const findUnreachableControls = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [role=button]')]
    .filter((control) => control.tabIndex < 0 && !control.disabled && control.type !== 'hidden')
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .filter((control) => !control.closest('[inert], [aria-hidden=true], ${partsWithKeys}'))
    .map((control) => 'not reached by Tab: ' + control.outerHTML.slice(0, 160))`)
