import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { ProblemState, Skeleton, State } from '../../patterns/states.tsx'
import { useNow } from '../../patterns/use-now.ts'
import { useCommands } from '../../session/commands.ts'
import { useMe } from '../../session/me.ts'
import { apiKeyTexts, settingsTexts } from '../../texts/en/settings-texts.ts'
import { Badge, type Hue } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { formatDate, formatSince } from '../../ui/format.ts'
import { Card, SectionHeader } from './card.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'
import styles from './settings.module.css'
import { type ApiKey, apiKeysQuery } from './settings-queries.ts'

export function ApiKeysSection() {
  const me = useMe()
  const { data, error, refetch } = useQuery(apiKeysQuery(me.id))
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<ApiKey>()
  useCommands([
    {
      id: 'api-keys:create',
      label: apiKeyTexts.create,
      group: settingsTexts.title,
      keys: ['c'],
      run: () => setCreating(true),
    },
  ])
  const create = (
    <Button variant="primary" icon={<Plus size={15} />} keys="c" onClick={() => setCreating(true)}>
      {apiKeyTexts.create}
    </Button>
  )
  const isEmpty = data?.items.length === 0
  return (
    <>
      <SectionHeader title={settingsTexts.sections['api-keys']} text={apiKeyTexts.text} action={!isEmpty && create} />
      {error ? (
        <ProblemState error={error} part={apiKeyTexts.keys} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={3} />
      ) : isEmpty ? (
        <div className={styles.boxed}>
          <State icon={<KeyRound size={20} />} hue="info" title={apiKeyTexts.empty} actions={create}>
            {apiKeyTexts.emptyText}
          </State>
        </div>
      ) : (
        <Card title={apiKeyTexts.keys}>
          <ul className={styles.rows}>
            {data.items.map((key) => (
              <KeyRow key={key.id} apiKey={key} revoke={() => setRevoked(key)} />
            ))}
          </ul>
        </Card>
      )}
      {isCreating && <CreateKeyDialog close={() => setCreating(false)} />}
      {revoked && <RevokeKeyDialog apiKey={revoked} close={() => setRevoked(undefined)} />}
    </>
  )
}

const hueOfStatus: Readonly<Record<ApiKey['status'], Hue>> = {
  active: 'success',
  expired: 'warning',
  revoked: 'neutral',
}

function KeyRow({ apiKey, revoke }: { apiKey: ApiKey; revoke: () => void }) {
  const { locale } = useMe()
  const now = useNow()
  const { name, status, preset, effective_scopes, expires_at, last_used_at } = apiKey
  const isActive = status === 'active'
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        <KeyRound size={16} />
      </span>
      <div className={styles.grow}>
        <p className={styles.rowTitle}>
          <b>{name}</b>
          <Badge hue={hueOfStatus[status]}>{apiKeyTexts.statuses[status]}</Badge>
        </p>
        <p className={styles.soft}>
          <code>{`${apiKey.key_prefix}…${apiKey.last_four}`}</code>
          {` · ${[
            preset ? apiKeyTexts.readOnly : apiKeyTexts.permissionCount(effective_scopes.length),
            isActive && (expires_at ? apiKeyTexts.expires(formatDate(expires_at, locale)) : apiKeyTexts.neverExpires),
            last_used_at ? apiKeyTexts.used(formatSince(last_used_at, now, locale)) : apiKeyTexts.unused,
          ]
            .filter(Boolean)
            .join(' · ')}`}
        </p>
      </div>
      {isActive && (
        <Button size="small" aria-label={apiKeyTexts.revokeLabel(name)} onClick={revoke}>
          {apiKeyTexts.revoke}
        </Button>
      )}
    </li>
  )
}
