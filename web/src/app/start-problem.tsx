import { Building2, CloudOff, RotateCw } from 'lucide-react'
import type { ApiProblem } from '../api/problem.ts'
import { State } from '../patterns/states.tsx'
import { stateTexts } from '../texts/en/state-texts.ts'
import { Button } from '../ui/button.tsx'

/** Explains why the application cannot start. It has no links, because there are no pages yet. */
export const StartProblem = ({ problem }: { problem: ApiProblem }) => {
  const isUnknown = problem.code === 'tenant_not_found'
  return (
    <State
      icon={isUnknown ? <Building2 size={20} /> : <CloudOff size={20} />}
      hue={isUnknown ? 'violet' : 'danger'}
      title={isUnknown ? stateTexts.noWorkspace : stateTexts.notStarted}
      actions={
        <Button icon={<RotateCw size={14} />} onClick={() => location.reload()}>
          {stateTexts.retry}
        </Button>
      }
    >
      {stateTexts.problem(problem.code)} {problem.requestId && stateTexts.request(problem.requestId)}
    </State>
  )
}
