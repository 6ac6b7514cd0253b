export const focusFirstProblem = (): void => {
  requestAnimationFrame(() => {
    const row = document.querySelector('[data-rule-row] [role=alert]')?.closest('[data-rule-row]')
    row?.querySelector<HTMLElement>('[data-part=field] button')?.focus()
  })
}
