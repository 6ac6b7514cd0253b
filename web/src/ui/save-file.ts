/** Saves a file that was loaded with the token of the session, as if it was downloaded by a link. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the content after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
