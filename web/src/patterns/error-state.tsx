import { RefreshCw } from 'lucide-react'
import { stateTexts } from '../texts/en/state-texts.ts'
import { Button } from '../ui/button.tsx'
import { ProblemState, State } from './states.tsx'

const isLoadFailure = (error: unknown): boolean =>
  error instanceof Error && /module script|imported module|preload CSS/i.test(error.message)

/** Shown in the content while the navigation still works. Files of an older version are no longer on the server. */
export const ErrorState = ({ error }: { error: unknown }) =>
  isLoadFailure(error) ? (
    <State
      icon={<RefreshCw size={20} />}
      hue="info"
      title={stateTexts.notLoaded}
      actions={
        <Button variant="primary" onClick={() => location.reload()}>
          {stateTexts.reload}
        </Button>
      }
    >
      {stateTexts.notLoadedText}
    </State>
  ) : (
    <ProblemState error={error} retry={() => location.reload()} />
  )
