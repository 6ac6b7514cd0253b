import { Link, useLocation } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { useState } from 'react'
import { searchOfList } from '../../session/list-places.ts'
import { useMe } from '../../session/me.ts'
import { shellTexts } from '../../texts/en/shell-texts.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import styles from './navigation.module.css'
import { useNavigation } from './use-navigation.ts'

const MenuSheet = lazyPart(() => import('./menu-sheet.tsx'), 'MenuSheet')

/** The navigation of a phone. */
export function Dock({ openMenu }: { openMenu: () => void }) {
  const me = useMe()
  const { pathname } = useLocation()
  const { start, dock } = useNavigation()
  const [isSheetOpen, setSheetOpen] = useState(false)
  return (
    <nav className={styles.dock} aria-label={shellTexts.navigation}>
      {[start[0]!, ...dock].map(({ path, label, icon: Icon }) => (
        <Link
          key={path}
          to={path}
          search={searchOfList(path, pathname)}
          activeOptions={{ exact: path === '/', includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          <Icon size={16} />
          {label}
        </Link>
      ))}
      <button type="button" onClick={openMenu}>
        <Search size={16} />
        {shellTexts.find}
      </button>
      <button type="button" aria-haspopup="dialog" onClick={() => setSheetOpen(true)}>
        <MenuIcon size={16} />
        {shellTexts.menu}
        {me.unread_notifications > 0 && <i className={styles.unread} />}
      </button>
      {isSheetOpen && <MenuSheet close={() => setSheetOpen(false)} />}
    </nav>
  )
}
