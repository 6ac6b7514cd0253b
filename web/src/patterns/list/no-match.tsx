import { Funnel } from 'lucide-react'
import type { ReactNode } from 'react'
import { State } from '../states.tsx'

export const NoMatch = ({ title, text, chips }: { title: string; text: string; chips: ReactNode }) => (
  <State icon={<Funnel size={20} />} hue="neutral" title={title} actions={chips}>
    {text}
  </State>
)
