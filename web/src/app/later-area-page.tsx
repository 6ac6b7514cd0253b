import { useParams } from '@tanstack/react-router'
import { Hourglass } from 'lucide-react'
import { PageHeader } from '../patterns/page-header.tsx'
import { HomeLink, State } from '../patterns/states.tsx'
import { stateTexts } from '../texts/en/state-texts.ts'
import { laterAreas } from './later-areas.ts'

export function LaterAreaPage() {
  const { area = '' } = useParams({ strict: false })
  const name = laterAreas.get(area) ?? area
  return (
    <>
      <PageHeader title={name} />
      <State icon={<Hourglass size={20} />} hue="info" title={stateTexts.laterArea(name)} actions={<HomeLink />}>
        {stateTexts.laterAreaText}
      </State>
    </>
  )
}
