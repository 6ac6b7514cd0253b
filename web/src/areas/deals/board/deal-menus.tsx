import { useQuery } from '@tanstack/react-query'
import { ChevronDown, GitBranch, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { PersonPicker } from '../../../patterns/person-picker.tsx'
import { pipelinesQuery } from '../../../patterns/shared-queries.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import type { MenuItem } from '../../../ui/menu-model.ts'
import styles from './deals.module.css'
import type { DealOwner } from './use-deal-owner.ts'

type Reference = { id: string; name: string }

/** The pipelines are loaded when the button is approached, because most users have one. */
export function PipelineMenu({ current, choose }: { current: Reference; choose: (id: string) => void }) {
  const [isNear, setNear] = useState(false)
  const pipelines = useQuery({ ...pipelinesQuery, enabled: isNear })
  const shown = pipelines.data?.filter(({ is_active, id }) => is_active || id === current.id) ?? [current]
  const items: MenuItem[] = shown.map(({ id, name }) => ({
    kind: 'choice',
    label: name,
    isChosen: id === current.id,
    run: () => choose(id),
  }))
  return (
    <span className={styles.menu}>
      <MenuButton
        label={dealTexts.choosePipeline(current.name)}
        icon={<GitBranch size={15} />}
        items={items}
        prepare={() => setNear(true)}
      >
        <span className={styles.menuText}>{current.name}</span>
        <ChevronDown size={14} aria-hidden="true" />
      </MenuButton>
    </span>
  )
}

export function OwnerMenu({ owner, choose }: { owner: DealOwner; choose: (owner: string) => void }) {
  const [isPicking, setPicking] = useState(false)
  const text =
    owner.choice === 'me' ? dealTexts.mine : owner.choice === 'all' ? dealTexts.allOwners : (owner.name ?? '…')
  const items: MenuItem[] = [
    { kind: 'choice', label: dealTexts.mine, isChosen: owner.choice === 'me', run: () => choose('me') },
    { kind: 'choice', label: dealTexts.allOwners, isChosen: owner.choice === 'all', run: () => choose('all') },
    ...(owner.choice === 'person' && owner.name
      ? [{ kind: 'choice' as const, label: owner.name, isChosen: true, run: () => {} }]
      : []),
    { kind: 'line' },
    { label: dealTexts.onePerson, run: () => setPicking(true) },
  ]
  return (
    <span className={styles.menu}>
      <MenuButton
        label={dealTexts.chooseOwner(text)}
        icon={owner.name ? <Avatar name={owner.name} /> : <UsersRound size={15} />}
        items={items}
      >
        <span className={styles.menuText}>{text}</span>
        <ChevronDown size={14} aria-hidden="true" />
      </MenuButton>
      {isPicking && (
        <PersonPicker
          title={dealTexts.owner}
          choose={({ id }) => {
            setPicking(false)
            if (id) choose(id)
          }}
          close={() => setPicking(false)}
        />
      )}
    </span>
  )
}
