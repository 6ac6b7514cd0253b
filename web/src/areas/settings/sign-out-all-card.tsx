import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { ProblemState, Skeleton } from '../../patterns/states.tsx'
import { useCommands } from '../../session/commands.ts'
import { useMe } from '../../session/me.ts'
import { settingsTexts, signOutAllTexts } from '../../texts/en/settings-texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Card } from './card.tsx'
import styles from './settings.module.css'
import { signedInQuery } from './settings-queries.ts'
import { SignOutAllDialog } from './sign-out-all-dialog.tsx'

export function SignOutAllCard() {
  const { locale } = useMe()
  const { data, error, refetch } = useQuery(signedInQuery)
  const [isOpen, setOpen] = useState(false)
  const users = data && (data.total ?? 1)
  useCommands([
    {
      id: 'workspace:sign-out-all',
      label: signOutAllTexts.signOutAll,
      group: settingsTexts.title,
      keys: [],
      isAvailable: users !== undefined,
      run: () => setOpen(true),
    },
  ])
  return (
    <Card
      title={signOutAllTexts.title}
      text={signOutAllTexts.text}
      action={
        <Button variant="danger" icon={<LogOut size={15} />} disabled={!data} onClick={() => setOpen(true)}>
          {signOutAllTexts.signOutAll}
        </Button>
      }
    >
      {error ? (
        <ProblemState error={error} part={signOutAllTexts.title} retry={() => void refetch()} />
      ) : users === undefined ? (
        <Skeleton rows={1} />
      ) : (
        <p className={styles.soft}>{signOutAllTexts.signedIn(formatNumber(users, locale))}</p>
      )}
      {isOpen && users !== undefined && <SignOutAllDialog others={users - 1} close={() => setOpen(false)} />}
    </Card>
  )
}
