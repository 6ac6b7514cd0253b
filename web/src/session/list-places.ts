/** The search of each list when it was last shown, by its path. Links return to it until the page is loaded again. */
const places = new Map<string, object>()

const lists = /^\/(leads|deals|contacts|accounts|segments|campaigns|cadences|imports|people)$/
const passing = new Set(['open', 'tab', 'compose', 'closed'])

export function rememberList(pathname: string, search: object): void {
  if (!lists.test(pathname)) return
  places.set(pathname, Object.fromEntries(Object.entries(search).filter(([name]) => !passing.has(name))))
}

/** The search that a link to a list has: the last one, and none on the list itself, where the link clears the filters. */
export const searchOfList = (to: string, pathname: string): object => (pathname === to ? {} : (places.get(to) ?? {}))
