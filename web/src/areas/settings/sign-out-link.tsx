import { LogOut } from 'lucide-react'
import { signOut } from '../../api/session.ts'
import { settingsTexts } from '../../texts/en/settings-texts.ts'
import styles from './settings.module.css'

/** A phone does not show the menu of the user. */
export const SignOutLink = () => (
  <button type="button" className={styles.link} onClick={() => void signOut()}>
    <LogOut size={16} />
    <span>{settingsTexts.signOut}</span>
  </button>
)
