import { ArrowDown, ArrowUp, ExternalLink, Pin as PinIcon, PinOff } from 'lucide-react'
import type { ComponentProps } from 'react'
import { changeUserPreferences } from '../../patterns/preferences/change-user-preferences.ts'
import type { Pin } from '../../patterns/preferences/parse-pin.ts'
import { addPin, isPinned, movePin, removePin } from '../../patterns/preferences/pins.ts'
import { useNavigationPreferences } from '../../session/user-preferences.ts'
import { navigationTexts } from '../../texts/en/navigation-texts.ts'
import { MenuPopup } from '../../ui/menu.tsx'
import type { MenuItem } from '../../ui/menu-model.ts'

type Props = { pin: Pin; anchor: ComponentProps<typeof MenuPopup>['anchor']; close: () => void }

export function PinMenu({ pin: { path, label }, anchor, close }: Props) {
  const { pinned } = useNavigationPreferences()
  const change = (next: (pinned: readonly string[]) => string[]) =>
    void changeUserPreferences((current) => ({ pinned: next(current.pinned) }))
  const at = pinned.findIndex((text) => isPinned([text], path))
  const items: MenuItem[] =
    at < 0
      ? [
          {
            label: navigationTexts.pin,
            icon: <PinIcon size={15} />,
            run: () => change((current) => addPin(current, { path, label })),
          },
        ]
      : [
          {
            label: navigationTexts.moveUp,
            icon: <ArrowUp size={15} />,
            keys: 'Alt+ArrowUp',
            isDisabled: at === 0,
            run: () => change((current) => movePin(current, path, -1)),
          },
          {
            label: navigationTexts.moveDown,
            icon: <ArrowDown size={15} />,
            keys: 'Alt+ArrowDown',
            isDisabled: at === pinned.length - 1,
            run: () => change((current) => movePin(current, path, 1)),
          },
          {
            label: navigationTexts.unpin,
            icon: <PinOff size={15} />,
            run: () => change((current) => removePin(current, path)),
          },
        ]
  const openTab: MenuItem = {
    label: navigationTexts.openTab,
    icon: <ExternalLink size={15} />,
    run: () => void open(path, '_blank', 'noopener'),
  }
  return (
    <MenuPopup
      label={label}
      anchor={anchor}
      align="start"
      items={[...items, { kind: 'line' }, openTab]}
      close={close}
    />
  )
}
