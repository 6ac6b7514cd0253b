import { defaultParseSearch } from '@tanstack/react-router'
import { createStore, useStore } from '../../api/store.ts'
import { changeLater, reportFailure } from '../../patterns/preferences/change-later.ts'
import { parsePin } from '../../patterns/preferences/parse-pin.ts'
import { useMe } from '../../session/me.ts'
import { useNavigationPreferences } from '../../session/user-preferences.ts'
import { areasOf } from './areas.ts'
import { chooseDock, type Focus, orderGroups, toggle } from './navigation-order.ts'

/** The focus that the user looks at before choosing it. */
export const previewedFocus = createStore<Focus | undefined>(undefined)

/** Stands for the question of the focus among the groups that the user has closed. */
export const focusQuestion = 'focus'

export function useNavigation() {
  const me = useMe()
  const preferences = useNavigationPreferences()
  const focus = useStore(previewedFocus) ?? preferences.focus
  const areas = areasOf(me)
  return {
    start: areas.filter(({ group }) => group === 'start'),
    groups: orderGroups(areas, focus, preferences.collapsed),
    dock: chooseDock(areas, focus),
    pins: preferences.pinned.map(parsePin).flatMap((pin) => {
      const area = areas.findLast(({ path }) => `${pin.path}/`.startsWith(path) && path !== '/')
      if (!area) return []
      const [to, query] = pin.path.split('?')
      const label = area.path === pin.path ? area.label : pin.label
      return { path: pin.path, to: to!, search: defaultParseSearch(query ?? ''), label, icon: area.icon }
    }),
    isFocusAsked: preferences.focus === null && !preferences.collapsed.includes(focusQuestion) && !me.impersonation,
  }
}

export type ShownPin = ReturnType<typeof useNavigation>['pins'][number]

const loadPins = () => import('../../patterns/preferences/toggle-pin.ts')

/** Loads what changes pins when the user first does. The change is shown when the promise ends. */
export const changePins = (change: (pins: Awaited<ReturnType<typeof loadPins>>) => unknown): Promise<unknown> =>
  loadPins().then(change).catch(reportFailure)

export const toggleGroup = (group: string): Promise<void> =>
  changeLater(({ collapsed }) => ({ collapsed: toggle(collapsed, group) }))
