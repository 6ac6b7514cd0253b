import { useMutation } from '@tanstack/react-query'
import { Hourglass, RefreshCw, ServerOff, VenetianMask, WifiOff, Wrench } from 'lucide-react'
import { api, read } from '../api/client.ts'
import { connection, hasNewVersion } from '../api/connection.ts'
import { stopImpersonation } from '../api/session.ts'
import { useStore } from '../api/store.ts'
import { useMe } from '../session/me.ts'
import { bannerTexts } from '../texts/en/banner-texts.ts'
import { shellTexts } from '../texts/en/shell-texts.ts'
import { Button } from '../ui/button.tsx'
import { formatTime } from '../ui/format.ts'
import styles from './shell.module.css'

/** States of the whole page, above its content. */
export function Banners() {
  const state = useStore(connection)
  const me = useMe()
  const resend = useMutation({ mutationFn: () => read(api.POST('/api/auth/resend-verification')) })
  const isOutdated = useStore(hasNewVersion)
  return (
    <>
      {me.impersonation && (
        <div className={`${styles.banner} ${styles.warning}`} role="status">
          <VenetianMask size={16} />
          <p>{bannerTexts.impersonating(me.name, formatTime(me.impersonation.expires_at, me.locale))}</p>
          <Button size="small" onClick={() => void stopImpersonation()}>
            {bannerTexts.stop}
          </Button>
        </div>
      )}
      {isOutdated && (
        <div className={`${styles.banner} ${styles.info}`} role="status">
          <RefreshCw size={16} />
          <p>{bannerTexts.newVersion}</p>
          <Button size="small" onClick={() => location.reload()}>
            {shellTexts.reload}
          </Button>
        </div>
      )}
      {state === 'offline' && (
        <div className={`${styles.banner} ${styles.neutral}`} role="status">
          <WifiOff size={16} />
          <p>{bannerTexts.offline}</p>
        </div>
      )}
      {state === 'unreachable' && (
        <div className={`${styles.banner} ${styles.warning}`} role="status">
          <ServerOff size={16} />
          <p>{bannerTexts.unreachable}</p>
        </div>
      )}
      {state === 'busy' && (
        <div className={`${styles.banner} ${styles.warning}`} role="status">
          <Hourglass size={16} />
          <p>{bannerTexts.busy}</p>
        </div>
      )}
      {state === 'maintenance' && (
        <div className={`${styles.banner} ${styles.warning}`} role="status">
          <Wrench size={16} />
          <p>{bannerTexts.maintenance}</p>
        </div>
      )}
      {me.email_verification_required && (
        <div className={`${styles.banner} ${styles.info}`} role="status">
          <p>{bannerTexts.unverified(me.email)}</p>
          <Button size="small" disabled={resend.isPending || resend.isSuccess} onClick={() => resend.mutate()}>
            {bannerTexts.resend}
          </Button>
        </div>
      )}
    </>
  )
}
