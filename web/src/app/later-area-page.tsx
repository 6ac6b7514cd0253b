import { useParams } from '@tanstack/react-router'
import { Hourglass } from 'lucide-react'
import { HomeLink, State } from '../patterns/states.tsx'
import { stateTexts } from '../texts/en/state-texts.ts'
import { laterAreas } from './later-areas.ts'

export function LaterAreaPage() {
  const { area = '' } = useParams({ strict: false })
  return (
    <State
      icon={<Hourglass size={20} />}
      hue="info"
      title={stateTexts.laterArea(laterAreas.get(area) ?? area)}
      actions={
        <>
          <HomeLink />
          <a href="/reference">{stateTexts.reference}</a>
        </>
      }
    >
      {stateTexts.laterAreaText}
    </State>
  )
}
