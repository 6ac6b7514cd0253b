import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, Copy, Ellipsis, Link2, RotateCcw, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as access from '../../../api/access.gen.ts'
import { useNarrow } from '../../../patterns/use-narrow.ts'
import { useCommands } from '../../../session/commands.ts'
import { can, may, useMe } from '../../../session/me.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import type { MenuItem } from '../../../ui/menu-model.ts'
import { showToast } from '../../../ui/toast.tsx'
import { duplicateSegment } from '../duplicate-segment.ts'
import type { Segment } from '../segment-queries.ts'
import { mayDeleteSegment } from '../segment-rights.ts'
import type { TargetType } from './enroll-dialog.tsx'

const EnrollDialog = lazyPart(() => import('./enroll-dialog.tsx'), 'EnrollDialog')
const DeleteDialog = lazyPart(() => import('./delete-dialog.tsx'), 'DeleteDialog')

type ActionsProps = { segment: Segment; isDirty: boolean; discard?: () => void }

export function SegmentActions({ segment, isDirty, discard }: ActionsProps) {
  const me = useMe()
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const [target, setTarget] = useState<TargetType>()
  const [isDeleting, setDeleting] = useState(false)
  const { id, object_type: type, state } = segment
  const canEnroll = may(me, access.enrollSegment) && type !== 'account'
  const hint = isDirty ? texts.saveFirst : state === 'invalid' ? texts.fixFirst : undefined

  const duplicate = () =>
    void duplicateSegment(segment).then((copy) => copy && navigate({ to: `/segments/${copy.id}` as '/' }))
  const copyLink = async () => {
    await navigator.clipboard.writeText(new URL(`/segments/${id}`, location.origin).href)
    showToast(recordTexts.linkCopied)
  }
  const use = (key: TargetType, scope: 'campaigns.write' | 'cadences.write'): MenuItem[] =>
    canEnroll && can(me, scope)
      ? [
          {
            label: texts.useIn[key],
            icon: <Send size={14} />,
            hint,
            isDisabled: hint !== undefined,
            run: () => setTarget(key),
          },
        ]
      : []
  const uses = [...use('campaign', 'campaigns.write'), ...use('cadence', 'cadences.write')]
  const menu: MenuItem[] = [
    ...(isNarrow && uses.length > 0 ? [...uses, { kind: 'line' } as const] : []),
    ...(isDirty && discard
      ? [{ label: texts.discard, icon: <RotateCcw size={14} />, run: discard } satisfies MenuItem]
      : []),
    ...(may(me, access.createSegment)
      ? [{ label: texts.duplicate, icon: <Copy size={14} />, run: duplicate } satisfies MenuItem]
      : []),
    { label: recordTexts.copyLink, icon: <Link2 size={14} />, run: () => void copyLink() },
    ...(mayDeleteSegment(me, segment)
      ? [
          { kind: 'line' } as const,
          { label: texts.remove.action, icon: <Trash2 size={14} />, run: () => setDeleting(true) } satisfies MenuItem,
        ]
      : []),
  ]
  const command = (key: TargetType, isAvailable: boolean) => ({
    id: `segment:${key}`,
    label: texts.useIn[key],
    group: texts.segment,
    isAvailable: isAvailable && hint === undefined,
    run: () => setTarget(key),
  })
  useCommands([
    command('campaign', canEnroll && can(me, 'campaigns.write')),
    command('cadence', canEnroll && can(me, 'cadences.write')),
    {
      id: 'segment:duplicate',
      label: texts.duplicate,
      group: texts.segment,
      isAvailable: may(me, access.createSegment),
      run: duplicate,
    },
    {
      id: 'segment:delete',
      label: texts.remove.action,
      group: texts.segment,
      isAvailable: mayDeleteSegment(me, segment),
      run: () => setDeleting(true),
    },
  ])
  return (
    <>
      {!isNarrow && uses.length > 0 && (
        <MenuButton label={texts.useIn.label} icon={<Send size={15} />} variant="secondary" items={uses}>
          {texts.useIn.label}
          <ChevronDown size={14} aria-hidden="true" />
        </MenuButton>
      )}
      <MenuButton label={recordTexts.more} icon={<Ellipsis size={16} />} variant="quiet" items={menu} />
      {target && <EnrollDialog segment={segment} type={target} close={() => setTarget(undefined)} />}
      {isDeleting && <DeleteDialog segment={segment} close={() => setDeleting(false)} />}
    </>
  )
}
