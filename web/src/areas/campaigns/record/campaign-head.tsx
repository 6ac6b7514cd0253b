import { Play, UserRoundPlus } from 'lucide-react'
import { RecordHead } from '../../../patterns/record-head.tsx'
import { useCommands } from '../../../session/commands.ts'
import { useMe } from '../../../session/me.ts'
import { campaignTexts as texts } from '../../../texts/en/campaign-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { dayIn } from '../../../ui/format.ts'
import { MenuButton } from '../../../ui/menu.tsx'
import type { Campaign } from '../campaign-queries.ts'
import { StatusBadge } from '../status-badge.tsx'
import styles from './campaign.module.css'
import { listActions, type OpenDialog } from './campaign-actions.ts'
import { useSetStatus } from './use-set-status.ts'

type HeadProps = { campaign: Campaign; list: object; open: OpenDialog }

export function CampaignHead({ campaign, list, open }: HeadProps) {
  const me = useMe()
  const { setStatus, isPending } = useSetStatus(campaign)
  const actions = listActions(me, campaign, {
    open,
    setStatus,
    today: dayIn(me.tenant.general.timezone, Date.now()),
  })
  useCommands(
    Object.values(actions).map(({ id, label, isOffered, run }) => ({
      id: `campaign:${id}`,
      label,
      group: texts.group,
      isAvailable: isOffered,
      run,
    })),
  )
  const { add, activate, resume, ...others } = actions
  const start = [activate, resume].find(({ isOffered }) => isOffered)
  const menu = Object.values(others).filter(({ isOffered }) => isOffered)
  return (
    <RecordHead
      list={{ to: '/campaigns', search: list, label: texts.title }}
      name={campaign.name}
      badge={<StatusBadge status={campaign.status} />}
    >
      {add.isOffered && (
        <Button icon={<UserRoundPlus size={15} />} aria-label={add.label} onClick={add.run}>
          <span className={styles.wide}>{add.label}</span>
        </Button>
      )}
      {start && (
        <Button
          variant="primary"
          icon={<Play size={15} />}
          aria-label={start.label}
          disabled={isPending}
          onClick={start.run}
        >
          <span className={styles.wide}>{start.label}</span>
        </Button>
      )}
      {menu.length > 0 && (
        <MenuButton
          label={recordTexts.more}
          icon={<span aria-hidden="true">···</span>}
          variant="quiet"
          items={menu.map(({ label, run }) => ({ label, run }))}
        />
      )}
    </RecordHead>
  )
}
