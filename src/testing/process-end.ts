import { after } from 'node:test'

/** Releases what the files of a process share, after the last of them. */
type Release = () => Promise<void>
const releases: Release[] = []
let isShared = false

/** Called by the runner of several files before it loads the first one. */
export function shareProcess(): void {
  isShared = true
}

export const isProcessShared = (): boolean => isShared

export function atProcessEnd(release: Release): void {
  releases.push(release)
}

/** Releases a resource after the last file of the process that can use it. */
export function releaseAtEnd(release: Release): void {
  if (isShared) atProcessEnd(release)
  else after(release)
}

export async function endProcess(): Promise<void> {
  for (const release of releases.splice(0).reverse()) await release()
}
