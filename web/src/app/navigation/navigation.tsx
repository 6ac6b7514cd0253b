import { Search } from 'lucide-react'
import { useStore } from '../../api/store.ts'
import { useSmall } from '../../patterns/use-narrow.ts'
import { useMe } from '../../session/me.ts'
import { preferences } from '../../session/preferences.ts'
import { shellTexts } from '../../texts/en/shell-texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { UserMenu } from '../user-menu.tsx'
import styles from './navigation.module.css'
import { AreaLink, MoreGroups, NavigationGroup, PinLink } from './navigation-parts.tsx'
import { useNavigation } from './use-navigation.ts'
import { WorkspaceMark } from './workspace-mark.tsx'

export function Navigation({ openMenu }: { openMenu: () => void }) {
  const me = useMe()
  const { isRail } = useStore(preferences)
  const isSmall = useSmall()
  const { start, pins, groups } = useNavigation()
  const inFocus = groups.filter((group) => group.isInFocus)
  const others = groups.filter((group) => !group.isInFocus)
  return (
    <nav className={`${styles.nav} ${isRail || isSmall ? styles.rail : ''}`} aria-label={shellTexts.navigation}>
      <div className={styles.workspace}>
        <WorkspaceMark />
        <span>{me.tenant.name}</span>
      </div>
      <button type="button" className={styles.find} onClick={openMenu}>
        <Search size={15} />
        <span>{shellTexts.search}</span>
        <Kbd keys="Mod+k" />
      </button>
      <div className={styles.links}>
        {start.map((area) => (
          <AreaLink key={area.path} area={area} count={area.path === '/inbox' ? me.unread_notifications : 0} />
        ))}
        {pins.length > 0 && <h2>{shellTexts.pinned}</h2>}
        {pins.map((pin) => (
          <PinLink key={pin.path} pin={pin} />
        ))}
        {inFocus.map((group) => (
          <NavigationGroup key={group.group} {...group} />
        ))}
        {others.length > 0 && <hr />}
        {others.map((group) => (
          <NavigationGroup key={group.group} {...group} />
        ))}
        <MoreGroups groups={groups.filter(({ isOpen }) => !isOpen)} />
      </div>
      <div className={styles.me}>
        <Avatar name={me.name} size="medium" />
        <div>
          <b>{me.name}</b>
          <small>{shellTexts.roles[me.role]}</small>
        </div>
        <UserMenu />
      </div>
    </nav>
  )
}
