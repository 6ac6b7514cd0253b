import { useMe } from '../../app/me.ts'
import { PageHeader } from '../../patterns/page-header.tsx'

export function HomePage() {
  const me = useMe()
  return <PageHeader title={`Good morning, ${me.name}`} />
}
