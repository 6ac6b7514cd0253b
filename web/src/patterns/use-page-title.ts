import { useEffect } from 'react'
import { useMe } from '../session/me.ts'

/** Names the browser tab after the page and the workspace. */
export function usePageTitle(title: string): void {
  const { name } = useMe().tenant
  useEffect(() => {
    document.title = `${title} – ${name}`
  }, [title, name])
}
