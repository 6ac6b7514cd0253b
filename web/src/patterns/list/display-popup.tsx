import { useStore } from '../../api/store.ts'
import { changePreferences, type Preferences, preferences } from '../../session/preferences.ts'
import { listTexts } from '../../texts/en/list-texts.ts'
import { MenuPopup, type MenuPopupProps } from '../../ui/menu.tsx'
import type { MenuItem } from '../../ui/menu-model.ts'
import type { List } from './use-list.ts'
import { deleteView } from './views/delete-view.ts'
import { findOwnView } from './views/own-views.ts'

type Props = Omit<MenuPopupProps, 'items'> & { list: List; saveView: () => void }

const densities = Object.entries(listTexts.densities) as [Preferences['density'], string][]

export function DisplayPopup({ list, saveView, ...popup }: Props) {
  const { definition, sort, setSort, columns, setColumns } = list
  const { density } = useStore(preferences)
  const ownView = findOwnView(list)
  const choice = (label: string, isChosen: boolean, run: () => void): MenuItem => ({
    kind: 'choice',
    label,
    isChosen,
    staysOpen: true,
    run,
  })
  const title = (label: string): MenuItem => ({ kind: 'title', label })
  const items: MenuItem[] = [
    title(listTexts.orderTitle),
    ...Object.entries(definition.texts.sorts).map(([one, label]) => choice(label, sort === one, () => setSort(one))),
    { kind: 'line' },
    title(listTexts.columnsTitle),
    ...Object.entries(definition.texts.columns)
      .slice(1)
      .map(([key, label]) => {
        const isChosen = columns.includes(key)
        const next = isChosen ? columns.filter((one) => one !== key) : [...columns, key]
        return choice(label, isChosen, () => setColumns(next))
      }),
    { kind: 'line' },
    title(listTexts.rowsTitle),
    ...densities.map(([value, label]) => choice(label, density === value, () => changePreferences({ density: value }))),
    { kind: 'line' },
    { label: listTexts.saveView, run: saveView },
    ...(ownView
      ? [
          {
            label: listTexts.deleteView(ownView.name),
            run: () => void deleteView(definition.name, ownView.stored),
          } as MenuItem,
        ]
      : []),
  ]
  return <MenuPopup {...popup} items={items} />
}
