import { useNavigate } from '@tanstack/react-router'
import { searchOfList } from '../../session/list-places.ts'
import { shellTexts } from '../../texts/en/shell-texts.ts'
import { MenuPopup, type MenuPopupProps } from '../../ui/menu.tsx'
import type { MenuItem } from '../../ui/menu-model.ts'
import type { Area } from './areas.ts'
import type { ShownGroup } from './navigation-order.ts'

type Props = Omit<MenuPopupProps, 'items'> & { groups: readonly ShownGroup<Area>[] }

export function GroupsPopup({ groups, ...popup }: Props) {
  const navigate = useNavigate()
  const items = groups.flatMap(({ group, entries }): MenuItem[] => [
    { kind: 'title', label: shellTexts.groups[group] },
    ...entries.map(({ path, label, icon: Icon, key }) => ({
      label,
      icon: <Icon size={15} />,
      keys: key && `g ${key}`,
      run: () => void navigate({ to: path, search: searchOfList(path, location.pathname) }),
    })),
  ])
  return <MenuPopup {...popup} items={items} />
}
