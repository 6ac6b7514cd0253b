import { EllipsisVertical } from 'lucide-react'
import { shellTexts } from '../texts/en/shell-texts.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { MenuButton } from '../ui/menu.tsx'

export const UserMenuPopup = lazyPart(() => import('./user-menu-popup.tsx'), 'UserMenuPopup')

export const UserMenu = () => (
  <MenuButton
    label={shellTexts.userMenu}
    icon={<EllipsisVertical size={16} />}
    variant="quiet"
    size="small"
    prepare={() => void UserMenuPopup.load().catch(() => {})}
    renderPopup={(popup) => <UserMenuPopup {...popup} />}
  />
)
