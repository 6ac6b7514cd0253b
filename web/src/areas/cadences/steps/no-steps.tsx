import { Copy, Mail, Phone, Route } from 'lucide-react'
import { useState } from 'react'
import { State } from '../../../patterns/states.tsx'
import { cadenceStepTexts as texts } from '../../../texts/en/cadence-step-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { Cadence } from '../cadence-queries.ts'
import type { StepType } from './step-model.ts'
import type { Steps } from './use-steps.ts'

const CopyStepsDialog = lazyPart(() => import('./copy-steps-dialog.tsx'), 'CopyStepsDialog')

type NoStepsProps = { cadence: Cadence; steps: Steps; canEdit: boolean; add: (type: StepType) => void }

export function NoSteps({ cadence, steps, canEdit, add }: NoStepsProps) {
  const [isCopying, setCopying] = useState(false)
  if (!canEdit)
    return (
      <State icon={<Route size={20} />} hue="info" title={texts.none.forViewer}>
        {texts.none.text}
      </State>
    )
  return (
    <State
      icon={<Route size={20} />}
      hue="info"
      title={texts.none.title}
      actions={
        <>
          <Button variant="primary" icon={<Mail size={15} />} onClick={() => add('email_auto')}>
            {texts.none.email}
          </Button>
          <Button icon={<Phone size={15} />} onClick={() => add('call')}>
            {texts.none.call}
          </Button>
          <Button variant="quiet" icon={<Copy size={15} />} onClick={() => setCopying(true)}>
            {texts.none.copy}
          </Button>
          {isCopying && <CopyStepsDialog {...{ cadence, steps }} close={() => setCopying(false)} />}
        </>
      }
    >
      {texts.none.text}
    </State>
  )
}
