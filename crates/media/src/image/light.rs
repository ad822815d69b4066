//! Conversion between sRGB and linear light, by tables: averages of sRGB values are too dark.

use std::sync::LazyLock;

/// Linear light for each sRGB value, 0.0 to 1.0.
static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
    let mut value = 0.0_f32;
    [(); 256].map(|()| {
        let level = value / 255.0;
        value += 1.0;
        if level <= 0.040_45 {
            level / 12.92
        } else {
            ((level + 0.055) / 1.055).powf(2.4)
        }
    })
});

/// sRGB values for 4,096 steps of linear light. The darkest steps are less than one value apart.
static ENCODED: LazyLock<[u8; STEPS]> = LazyLock::new(|| {
    let mut step = 0.0_f32;
    [(); STEPS].map(|()| {
        let light = step / 4095.0;
        step += 1.0;
        let level = if light <= 0.003_130_8 {
            light * 12.92
        } else {
            1.055 * light.powf(1.0 / 2.4) - 0.055
        };
        to_byte(level)
    })
});

const STEPS: usize = 4096;

/// Tables of both directions; get them once for many values.
#[derive(Clone, Copy)]
pub(crate) struct Light {
    linear: &'static [f32; 256],
    encoded: &'static [u8; STEPS],
}

impl Light {
    pub(crate) fn tables() -> Self {
        Self {
            linear: &LINEAR,
            encoded: &ENCODED,
        }
    }

    pub(crate) fn linear(self, value: u8) -> f32 {
        // The table has an entry for each value.
        self.linear
            .get(usize::from(value))
            .copied()
            .unwrap_or_default()
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "conversion of floats saturates"
    )]
    pub(crate) fn encoded(self, light: f32) -> u8 {
        let step = (light * 4095.0 + 0.5) as usize;
        self.encoded.get(step).copied().unwrap_or(u8::MAX)
    }
}

/// Converts a level from 0.0 to 1.0 to the nearest of 256 values.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "conversion of floats saturates"
)]
pub(crate) fn to_byte(level: f32) -> u8 {
    (level * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_survives_the_way_to_light_and_back() {
        let light = Light::tables();
        for value in 0..=u8::MAX {
            assert_eq!(light.encoded(light.linear(value)), value);
        }
        assert_eq!(light.encoded(-0.1), 0);
        assert_eq!(light.encoded(1.1), 255);
    }
}
