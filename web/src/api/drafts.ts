const prefix = 'draft:'

/** Texts that a user has typed and not saved. They survive a reload of the tab, and sign-out removes them with all data of the tab. */
export const readDraft = (key: string): string => sessionStorage.getItem(prefix + key) ?? ''

export function writeDraft(key: string, text: string): void {
  if (text.trim() === '') sessionStorage.removeItem(prefix + key)
  else sessionStorage.setItem(prefix + key, text)
}
