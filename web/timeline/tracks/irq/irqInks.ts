import { packColour } from '../../../gl/columns';
import { toRgb } from '../../frame/colours';
import type { SceneTheme } from '../../frame/theme';

/** The colours of hardirqs and of softirqs, as words of pixels. */
export const irqInks = ({ hardirq, softirq }: SceneTheme): readonly [number, number] => [
  packColour(toRgb(hardirq)),
  packColour(toRgb(softirq)),
];
