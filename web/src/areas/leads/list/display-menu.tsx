import { SlidersHorizontal } from 'lucide-react'
import { useStore } from '../../../api/store.ts'
import { changePreferences, type Preferences, preferences } from '../../../session/preferences.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { MenuButton } from '../../../ui/menu.tsx'
import type { MenuItem } from '../../../ui/menu-model.ts'
import { showToast } from '../../../ui/toast.tsx'
import { allColumns, type ColumnKey, parseColumns, standardColumns } from './lead-columns.tsx'
import { offeredSorts } from './list-sorts.ts'
import { deleteOwnView, findOwnView, type OwnView, ownViews, saveOwnView } from './own-views.ts'
import type { LeadList } from './use-lead-list.ts'

const densities = Object.entries(leadTexts.densities) as [Preferences['density'], string][]

/** The order of the list, its columns, how high its rows are, and the stored view. */
export function DisplayMenu({ list, saveView }: { list: LeadList; saveView: () => void }) {
  const { search, standard, sort, setSort, setColumns, me } = list
  const { density } = useStore(preferences)
  const ownView = findOwnView(useStore(ownViews), search, standard)
  const columns = parseColumns(search.columns)
  const items: MenuItem[] = [
    { kind: 'title', label: leadTexts.orderTitle },
    ...offeredSorts.map(
      (one): MenuItem => ({
        kind: 'choice',
        label: leadTexts.sorts[one],
        isChosen: sort === one,
        staysOpen: true,
        run: () => setSort(one),
      }),
    ),
    { kind: 'line' },
    { kind: 'title', label: leadTexts.columnsTitle },
    ...allColumns
      .filter((key) => key !== 'name')
      .map((key): MenuItem => {
        const isChosen = columns.includes(key)
        return {
          kind: 'choice',
          label: leadTexts.columns[key],
          isChosen,
          staysOpen: true,
          run: () => setColumns(toText(isChosen ? columns.filter((one) => one !== key) : [...columns, key])),
        }
      }),
    { kind: 'line' },
    { kind: 'title', label: leadTexts.rowsTitle },
    ...densities.map(
      ([value, label]): MenuItem => ({
        kind: 'choice',
        label,
        isChosen: density === value,
        staysOpen: true,
        run: () => changePreferences({ density: value }),
      }),
    ),
    { kind: 'line' },
    { label: leadTexts.saveView, run: saveView },
    ...(ownView
      ? [{ label: leadTexts.deleteView(ownView.name), run: () => deleteView(me.id, ownView) } as MenuItem]
      : []),
  ]
  return (
    <MenuButton label={leadTexts.display} icon={<SlidersHorizontal size={15} />} variant="quiet" items={items}>
      {leadTexts.display}
    </MenuButton>
  )
}

/** The standard columns are not in the URL. */
function toText(keys: readonly ColumnKey[]): string | undefined {
  const sorted = allColumns.filter((key) => keys.includes(key))
  return sorted.join() === standardColumns.join() ? undefined : sorted.join()
}

function deleteView(userId: string, { name, search }: OwnView): void {
  deleteOwnView(userId, name)
  showToast(leadTexts.viewDeleted(name), {
    action: { label: leadTexts.undo, run: () => saveOwnView(userId, name, search) },
  })
}
